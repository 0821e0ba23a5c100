"""Rulesets in plain words."""

from dataclasses import fields
from typing import Any

import pytest

from engine.rules.ruleset import CHOICES as ENGINE
from engine.rules.ruleset import MONEY as AMOUNTS
from engine.rules.ruleset import Ruleset, preset, preset_keys, with_options
from league.base.domain.rule_text import differences, rule_text, say
from league.base.domain.rule_text.chops import rows
from league.base.domain.rule_text.labels import CHOICES, FIELDS, MONEY
from league.base.domain.rule_text.words import Words, any_of, row_of, words

# A ruleset with so much switched on that every other field matters too.
EVERYTHING = with_options(
    preset("tien-len"),
    {
        "later_games_led_by": "winner",
        "instant_win_then": "play_on",
        "exchange": ["go_fish", "negotiated", "chop_debt", "twos_left"],
        "betting": "mien_nam",
        "losers_pay": "cards",
    },
)
FLIPS: dict[str, Any] = {
    "key": "own-rules",
    "name": "Luật hội",
    "version": 2,
    "document": "house rules",
    "min_players": 3,
    "max_players": 3,
    "cards_each": {"4": 12},
    "decks": {"4": 2},
    "deal_all": True,
    "direction": "counter-clockwise",
    "first_dealer": "random",
    "first_card_to_winner": True,
    "card_counts": "hidden",
    "lowest_cards_revealed": True,
    "twos_top_straights": True,
    "twos_top_pair_runs": True,
    "quad_runs": False,
    "longest_pair_run": 4,
    "pairs_match": "colour",
    "straights_match": "suit",
    "pair_runs_match": "colour",
    "answers_match": True,
    "answers_free": ["triple"],
    "bombs_lead": False,
    "last_play": "no_twos",
    "three_spades_last": True,
    "later_games_led_by": "lowest",
    "new_player_resets": True,
    "first_play": "alone",
    "first_play_not_pair_run": True,
    "pair_run_opens": True,
    "opened_with": "chops",
    "pass_locks": False,
    "forward": False,
    "all_lose": True,
    "straight_flush_locks": "choice",
    "game_ends": "first_out",
    "chops": {"two_twos": ["PR4", "Q"]},
    "locked_out_chops": ["PR4"],
    "pair_runs_beat_singles": True,
    "quads_beat_singles": True,
    "triples_beat_aces": True,
    "quads_beat_pair_runs": True,
    "quad_run_beats_four_twos": True,
    "instant_wins": ["four_twos"],
    "instant_wins_declared": "automatic",
    "instant_win_then": "end",
    "instant_win_order": "top_pair",
    "instant_pairs": "playable",
    "instant_win_ties": "hand",
    "instant_win_lead": "lowest",
    "exchange": ["twos_left"],
    "trade_equal": True,
    "trade_net": 1,
    "trade_hand": 17,
    "trade_seconds": 45,
    "trading_ends_instant_wins": True,
    "ultimate_dragon_by_trade": False,
    "chop_debt_owed_by": "last",
    "chop_debt_cards": "any_two",
    "chop_debt_count": "none",
    "betting": "loser_pays_all",
    "money": {"black_two": 3},
    "losers_pay": "first",
    "left_paid": False,
    "left_counted": False,
    "chops_paid": "each",
    "chop_multiple": 2,
    "cong_place": True,
    "cong_multiple": 2,
    "winner_doubles": ["bomb"],
    "most_paid": 40,
    "forfeit": "sings a song",
}


# What a field says nothing without.
NEEDED = {
    "opened_with": {"pair_run_opens": True},
    "answers_free": {"answers_match": True},
    "last_play": {"game_ends": "first_out"},
    "three_spades_last": {"game_ends": "first_out"},
}


def text_of(rules: Ruleset) -> list[str]:
    return [say(sentence) for section in rule_text(rules) for sentence in section.sentences]


def section(rules: Ruleset, key: str) -> list[str]:
    found = next(section for section in rule_text(rules) if section.key == key)
    return [say(sentence) for sentence in found.sentences]


def test_every_field_has_a_flip_and_a_label():
    names = [field.name for field in fields(Ruleset)]
    assert (sorted(FLIPS), sorted(FIELDS)) == (sorted(names), sorted(names))


@pytest.mark.parametrize("field", FLIPS)
def test_another_value_of_a_field_changes_a_sentence(field):
    base = with_options(EVERYTHING, NEEDED.get(field, {}))
    assert text_of(with_options(base, {field: FLIPS[field]})) != text_of(base)


def test_every_value_that_the_engine_takes_has_a_label():
    """A value without one could be chosen by nobody: the form offers what has a label."""
    assert {field: set(labels) for field, labels in CHOICES.items()} == {
        field: set(names) for field, names in ENGINE.items()
    }
    assert list(MONEY) == list(AMOUNTS)


@pytest.mark.parametrize("field", [field for field in CHOICES if isinstance(FLIPS[field], str)])
def test_every_choice_of_a_field_has_its_own_sentences(field):
    options = {"straight_flush_locks": "never"} | NEEDED.get(field, {})
    base = with_options(EVERYTHING, options)
    texts = [tuple(text_of(with_options(base, {field: value}))) for value in CHOICES[field]]
    assert len(set(texts)) == len(CHOICES[field])


@pytest.mark.parametrize("entry", MONEY)
def test_every_amount_is_named(entry):
    key = "dem-la" if entry == "card" else "mien-nam"
    ends = {"last_play": "twos_lose", "three_spades_last": True, "game_ends": "first_out"}
    shown = ends if entry in ("last_two", "three_spades") else {}
    rules = with_options(preset(key), {"money": {entry: 77}, **shown})
    assert [text for text in section(rules, "money") if "77" in text] != []


@pytest.mark.parametrize("key", preset_keys())
def test_no_preset_leaves_a_placeholder_open(key):
    assert [text for text in text_of(preset(key)) if "%" in text or "(" in text[:1]] == []


def test_the_southern_money_game_reads_like_this():
    assert section(preset("mien-nam"), "chops") == [
        "On a single 2: four of a kind; 3, 4 or 5 consecutive pairs.",
        "On a pair of 2s: 4 or 5 consecutive pairs.",
        "On three 2s: 5 consecutive pairs.",
        "On four of a kind: 4 or 5 consecutive pairs.",
        "On 3 consecutive pairs: four of a kind; 4 or 5 consecutive pairs.",
        "On 4 consecutive pairs: 5 consecutive pairs.",
        "No chop beats four 2s.",
        "A player who has passed may still chop a single 2, a pair of 2s, four of a kind "
        "or 3 consecutive pairs with 4 consecutive pairs.",
    ]


def test_player_counts_that_are_dealt_alike_share_a_sentence():
    assert section(preset("thirteen"), "deal")[:9] == [
        "For 2 to 8 players.",
        "With 2 to 4 players, one deck of 52 cards.",
        "With 5 to 8 players two decks, shuffled together.",
        "With two decks, a card does not beat its equal.",
        "If two players hold the same lowest card, the one in the lower seat leads.",
        "No combination has more than four cards of one rank.",
        "With 2 players, each gets 13 cards.",
        "With 3 players, each gets 17 cards.",
        "With 4 to 8 players, each gets 13 cards.",
    ]


def test_chops_that_are_no_combination_are_not_named():
    rules = with_options(preset("family"), {"chops": {"one_two": ["PR4", "PR5", "QR2"]}})
    assert rows(rules)["one_two"] == ("PR4",)


def test_three_pairs_that_open_never_chop_a_two():
    assert rows(with_options(preset("penguin"), {"pair_run_opens": True}))["one_two"] == ("Q",)


def test_what_those_who_have_passed_may_do_everybody_may():
    rules = with_options(preset("penguin"), {"locked_out_chops": ["PR5"]})
    assert rows(rules)["two_twos"] == ("PR4", "PR5")


def test_any_length_up_to_the_longest_reads_as_or_more():
    assert section(preset("hawaii-killer"), "chops")[0] == (
        "On a single 2: four of a kind; 3 or more consecutive pairs."
    )


def test_trading_turns_instant_wins_off_in_viet_cong():
    rules = with_options(preset("viet-cong"), {"exchange": ["negotiated"]})
    assert section(rules, "instant") == ["None, because cards are traded."]


def test_words_are_translated_before_they_are_filled():
    dictionary = {
        "On %(target)s: %(chops)s.": "Chặt %(target)s: %(chops)s.",
        "four twos": "tứ quý heo",
        "%(before)s or %(last)s": "%(before)s hoặc %(last)s",
    }
    sentence = words(
        "On %(target)s: %(chops)s.", target=Words("four twos"), chops=any_of([3, 4, 5])
    )
    assert say(sentence, lambda text: dictionary.get(text, text)) == (
        "Chặt tứ quý heo: 3, 4 hoặc 5."
    )
    assert say(row_of([])) == ""


@pytest.mark.parametrize(
    ("before", "after"), [(a, b) for a in preset_keys() for b in preset_keys() if a < b]
)
def test_differences_of_two_presets_name_each_field_that_differs(before, after):
    left, right = preset(before), preset(after)
    played = [field for field in FLIPS if field not in ("key", "name", "version", "document")]
    differing = {f for f in played if getattr(left, f) != getattr(right, f)}
    # An empty row of the chop table is as good as none.
    found = {difference.field for difference in differences(left, right)}
    assert found | {"chops"} == differing | {"chops"}


def test_a_difference_shows_both_values():
    rules = with_options(
        preset("killa"), {"forward": False, "cards_each": {"3": 17}, "chops": {"three_twos": ["Q"]}}
    )
    assert [
        (say(d.label), say(d.before), say(d.after)) for d in differences(preset("killa"), rules)
    ] == [
        ("Cards each with 3 players", "13", "17"),
        ("Tiến lên: the last player may keep playing alone", "yes", "no"),
        ("On three 2s", "–", "four of a kind"),
    ]


def test_the_same_play_under_another_name_does_not_differ():
    assert differences(preset("killa"), with_options(preset("killa"), {"name": "Ours"})) == []
