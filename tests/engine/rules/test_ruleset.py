import json
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from engine.rules import ruleset as module
from engine.rules.ruleset import (
    CHOICES,
    Ruleset,
    RulesetError,
    compare,
    digest,
    from_json,
    preset,
    preset_keys,
    to_json,
    with_options,
)


@pytest.mark.parametrize("key", preset_keys())
def test_a_preset_survives_the_way_through_json(key):
    ruleset = preset(key)
    assert from_json(json.loads(json.dumps(to_json(ruleset)))) == ruleset
    assert ruleset.key == key
    assert hash(ruleset) == hash(from_json(to_json(ruleset)))


@pytest.mark.parametrize("key", preset_keys())
def test_each_preset_is_one_commented_file(key):
    path = Path(module.__file__).parents[1] / "rulesets" / f"{key}.toml"
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert preset(key).document in text


def test_thirteen_presets_and_no_other_file():
    folder = Path(module.__file__).parents[1] / "rulesets"
    assert sorted(path.stem for path in folder.glob("*.toml")) == sorted(preset_keys())
    assert len(preset_keys()) == 13


@pytest.mark.parametrize(
    ("key", "players", "direction"),
    [
        ("tien-len", (2, 4), "clockwise"),
        ("hawaii-killer", (2, 4), "clockwise"),
        ("thirteen", (2, 8), "counter-clockwise"),
        ("penguin", (2, 4), "clockwise"),
        ("viet-cong", (2, 4), "clockwise"),
        ("family", (4, 4), "counter-clockwise"),
        ("killa", (2, 4), "clockwise"),
        ("mien-nam", (2, 4), "counter-clockwise"),
        ("dem-la", (2, 4), "counter-clockwise"),
        ("nhat-an-tat", (2, 4), "counter-clockwise"),
        ("mien-bac", (2, 4), "counter-clockwise"),
    ],
)
def test_players_and_direction(key, players, direction):
    ruleset = preset(key)
    assert (ruleset.min_players, ruleset.max_players) == players
    assert ruleset.direction == direction


@pytest.mark.parametrize(
    ("key", "forward", "winner", "exchange", "betting"),
    [
        ("tien-len", True, "winner", (), "none"),
        ("hawaii-killer", True, "lowest", (), "none"),
        ("thirteen", False, "winner", (), "none"),
        ("penguin", False, "winner", (), "loser_pays_all"),
        ("viet-cong", False, "lowest", (), "none"),
        ("family", True, "winner", ("go_fish",), "none"),
        ("killa", True, "lowest", (), "loser_pays_winner"),
        ("mien-nam", False, "winner", (), "mien_nam"),
        ("dem-la", False, "winner", (), "mien_nam"),
        ("nhat-an-tat", False, "winner", (), "mien_nam"),
        ("mien-bac", False, "winner", (), "mien_nam"),
    ],
)
def test_the_fields_that_other_tools_rely_on(key, forward, winner, exchange, betting):
    ruleset = preset(key)
    assert ruleset.pass_locks is True
    assert ruleset.forward is forward
    assert ruleset.later_games_led_by == winner
    assert ruleset.exchange == exchange
    assert ruleset.betting == betting
    assert ruleset.quads_beat_pair_runs is False
    assert ruleset.twos_top_straights is (key == "penguin")
    assert ruleset.twos_top_pair_runs is (key in ("penguin", "viet-cong"))


def test_cards_and_decks_by_number_of_players():
    thirteen = preset("thirteen")
    assert [thirteen.cards_for(n) for n in range(2, 9)] == [13, 17, 13, 13, 13, 13, 13]
    assert [thirteen.decks_for(n) for n in range(2, 9)] == [1, 1, 1, 2, 2, 2, 2]
    all_out = with_options(preset("tien-len"), {"deal_all": True})
    assert [all_out.cards_for(n) for n in (2, 3, 4)] == [26, 17, 13]


LONG_STRAIGHTS = {"one_two": ["S5+"]}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"betting": "poker"}, "betting"),
        ({"pass_locks": "yes"}, "pass_locks"),
        ({"pass_locks": 1}, "pass_locks"),
        ({"version": True}, "version"),
        ({"exchange": "go_fish"}, "exchange"),
        ({"exchange": ["go_fish", "go_fish"]}, "exchange"),
        ({"instant_wins": ["royal_flush"]}, "instant_wins"),
        ({"chops": {"one_two": ["PR2"]}}, "chops"),
        ({"chops": {"three": ["PR3"]}}, "chops"),
        ({"chops": []}, "chops"),
        ({"max_players": 9}, "max_players"),
        ({"min_players": 4, "max_players": 3}, "max_players"),
        ({"max_players": 5}, "cards_each"),
        ({"cards_each": {"4": 14}}, "cards_each"),
        ({"money": {"loser": -1}}, "money"),
        ({"cards_each": {"4": 2}}, "cards_each"),
        ({"trade_net": 13}, "trade_net"),
        ({"key": "a b"}, "key"),
        ({"name": ""}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"no_such_rule": True}, "no_such_rule"),
        ({"bad\nname": True}, "'bad\\nname'"),
        ({"pair_run_opens": True, "first_play_not_pair_run": True}, "first_play_not_pair_run"),
        ({"losers_pay": "nobody"}, "losers_pay"),
        ({"pairs_match": "suit"}, "pairs_match"),
        ({"pair_run_opens": True, "bombs_lead": False}, "bombs_lead"),
        ({"winner_doubles": ["three"]}, "winner_doubles"),
        ({"chop_multiple": 0}, "chop_multiple"),
        ({"chops": LONG_STRAIGHTS}, "chops"),
        ({"chops": LONG_STRAIGHTS, "straights_match": "suit", "betting": "mien_nam"}, "chops_paid"),
    ],
)
def test_a_wrong_ruleset_names_the_field_in_one_line(options, field):
    with pytest.raises(RulesetError) as error:
        with_options(preset("killa"), options)
    assert error.value.field == field
    assert str(error.value).startswith(field)
    assert "\n" not in str(error.value)


def test_what_was_frozen_before_a_field_came_stays_what_it_is():
    """The digests of the presets as the first release knew them."""
    assert digest(preset("mien-nam")).startswith("1cb82703fc28edd2")
    assert digest(with_options(preset("mien-nam"), {"chops_paid": "last"})) == digest(
        preset("mien-nam")
    )
    changed = {"chops_paid": "each"}, {"money": {"card": 2}}, {"game_ends": "first_out"}
    told = {digest(with_options(preset("mien-nam"), options)) for options in changed}
    assert len(told | {digest(preset("mien-nam"))}) == 4


def test_a_type_names_the_values_that_its_field_takes():
    """Whoever asks for each of them is told by the type checker of a new one."""
    named = {name: get_args(kind) for name, kind in get_type_hints(Ruleset).items()}
    literal = {
        name for name, kind in get_type_hints(Ruleset).items() if get_origin(kind) is Literal
    }
    assert literal == {"later_games_led_by"}
    assert [name for name in literal if named[name] != CHOICES[name]] == []


def test_a_missing_field_is_named():
    with pytest.raises(RulesetError) as error:
        from_json({"key": "x"})
    assert error.value.field == "name"
    with pytest.raises(RulesetError):
        from_json([])


def test_an_unknown_preset_says_which_there_are():
    with pytest.raises(RulesetError, match="tien-len"):
        preset("bridge")


def test_options_merge_objects_key_by_key():
    changed = with_options(preset("mien-nam"), {"chops": {"two_twos": ["Q", "PR4", "PR5"]}})
    assert compare(preset("mien-nam"), changed)[0][0] == "chops"
    assert to_json(changed)["chops"]["one_two"] == to_json(preset("mien-nam"))["chops"]["one_two"]
    assert to_json(changed)["chops"]["two_twos"] == ["PR4", "PR5", "Q"]
    money = to_json(with_options(preset("mien-nam"), {"money": {"cong": 9}}))["money"]
    assert (money["cong"], money["loser"]) == (9, 2)


def test_two_rulesets_are_compared_field_by_field():
    killa = preset("killa")
    assert compare(killa, killa) == []
    changed = with_options(killa, {"later_games_led_by": "winner", "betting": "none"})
    assert compare(killa, changed) == [
        ("later_games_led_by", "lowest", "winner"),
        ("betting", "loser_pays_winner", "none"),
    ]


def test_a_digest_is_the_identity_of_the_rules():
    killa = preset("killa")
    assert digest(killa) == digest(from_json(to_json(killa)))
    assert digest(killa) != digest(with_options(killa, {"version": 2}))
    assert len(digest(killa)) == 64
