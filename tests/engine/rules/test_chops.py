"""What beats twos and bombs, ruleset by ruleset."""

import pytest

from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.plays import prepare
from engine.rules.rule_tables import table
from engine.rules.ruleset import preset, with_options
from engine.rules.shapes import packed_of, parse_shape, shape_of
from tests.engine.play import Table, refused, rules

PR = {
    3: "6S 6C 7S 7C 8S 8C",
    4: "6S 6C 7S 7C 8S 8C 9S 9C",
    5: "6S 6C 7S 7C 8S 8C 9S 9C TS TC",
    6: "6S 6C 7S 7C 8S 8C 9S 9C TS TC JS JC",
    7: "6S 6C 7S 7C 8S 8C 9S 9C TS TC JS JC QS QC",
}
PLAYS = {
    "one 2": "2H",
    "pair of 2s": "2D 2H",
    "triple 2s": "2C 2D 2H",
    "quad of 2s": "2S 2C 2D 2H",
    "Q": "3S 3C 3D 3H",
    "QR2": "3S 3C 3D 3H 4S 4C 4D 4H",
    "QR3": "3S 3C 3D 3H 4S 4C 4D 4H 5S 5C 5D 5H",
    "ace": "AH",
    "pair of aces": "AD AH",
    "straight": "KH AH QH",
} | {f"PR{n}": cards for n, cards in PR.items()}
# Section and document of each table: tien-len-vc "Properties of 2s" and "Killer (Hawaiian
# variant)", thirteen-guide "Special Moves", penguin-book "Beating Twos" and "Viet Cong (VC)",
# family-rules "Chops", killa "Legal Plays"; the Southern game is common practice.
CHOPS = {
    "tien-len": {"one 2": "PR3 Q", "pair of 2s": "PR4 QR2", "triple 2s": "PR5 QR3"},
    "hawaii-killer": {"one 2": "PR3 PR4 PR5 PR6 PR7 Q", "PR3": "Q"},
    "thirteen": {
        "one 2": "PR3 PR5 Q", "pair of 2s": "PR4 PR5", "triple 2s": "PR5",
        "PR3": "PR4 PR5 Q", "PR4": "PR5", "Q": "PR4 PR5",
    },
    "penguin": {"one 2": "PR3 Q", "pair of 2s": "PR4", "triple 2s": "PR5"},
    "viet-cong": {"one 2": "PR3", "pair of 2s": "PR5 QR2", "triple 2s": "PR7 QR3"},
    "family": {"one 2": "PR3 PR4 Q", "pair of 2s": "PR4"},
    "killa": {
        "one 2": "PR3 PR4 PR5 Q", "pair of 2s": "PR4 PR5 Q", "quad of 2s": "PR5",
        "PR3": "PR4 PR5 Q", "PR4": "PR5 Q", "Q": "PR5",
    },
    "mien-nam": {
        "one 2": "PR3 PR4 PR5 Q", "pair of 2s": "PR4 PR5", "triple 2s": "PR5",
        "PR3": "PR4 PR5 Q", "PR4": "PR5", "Q": "PR4 PR5",
    },
}  # fmt: skip


def chop_table(ruleset) -> dict[str, str]:
    """Return for each target, by name, the names of what beats it and is of another shape."""
    made = table(ruleset)
    plays = {name: made.classify(pack(parse_cards(cards))) for name, cards in PLAYS.items()}
    found = {}
    for target, on in plays.items():
        chops = sorted(
            name for name, play in plays.items()
            if name not in ("triple 2s", "quad of 2s") and play and on
            and shape_of(play) != shape_of(on) and made.beats(play, on)
        )  # fmt: skip
        if chops:
            found[target] = " ".join(chops)
    return found


@pytest.mark.parametrize("key", CHOPS)
def test_chops_are_exactly_those_of_the_document(key):
    assert chop_table(rules(key)) == CHOPS[key]


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ({"quads_beat_pair_runs": True}, {f"PR{n}": "Q" for n in range(3, 8)}),
        ({"quads_beat_singles": True}, {"ace": "Q"}),
        ({"triples_beat_aces": True}, {"ace": "triple of 5s"}),
        (
            {"pair_runs_beat_singles": True},
            {"ace": "PR3 PR4 PR5 PR6 PR7", "one 2": "PR3 PR4 PR5 PR6 PR7 Q"},
        ),
        (
            {"quad_run_beats_four_twos": True},
            {"one 2": "PR3 Q QR2", "triple 2s": "PR5 QR2 QR3", "quad of 2s": "QR2"},
        ),
        ({"chops": {"one_two": ["PR3", "PR4", "Q"]}}, {"one 2": "PR3 PR4 Q"}),
        ({"chops": {"two_twos": ["PR4", "PR5", "QR2"]}}, {"pair of 2s": "PR4 PR5 QR2"}),
    ],
    ids=lambda value: next(iter(value)),
)
def test_house_rules_change_the_table(options, changed, monkeypatch):
    """tien-len-vc, "House rules"; each option adds its row and nothing else."""
    monkeypatch.setitem(PLAYS, "triple of 5s", "5S 5C 5D")
    assert chop_table(rules("tien-len", **options)) == CHOPS["tien-len"] | changed


def test_a_special_combination_on_anything_else_is_no_chop():
    table = Table(rules("tien-len", quads_beat_singles=True), "KS", "5S 5C 5D 5H", leader=0)
    table.play(0, "KS").play(1, "5S 5C 5D 5H")
    assert table.result.chops == ()


def test_a_chop_that_the_ruleset_does_not_have_is_no_chop():
    """family-rules, "Chops": a run has at most four pairs, whatever a house rule names."""
    ruleset = rules("family", locked_out_chops=["PR4", "PR5"], chops={"two_twos": ["PR5", "QR2"]})
    assert chop_table(ruleset).get("pair of 2s") == "PR4"
    offered = {shape for shapes in table(ruleset).locked_out.values() for shape in shapes}
    assert offered == {parse_shape("PR4")}


def test_four_pairs_of_a_locked_out_player_beat_a_quad_of_twos_like_any_quad():
    def targets(key):
        made = chop_table(rules(key, locked_out_chops=["PR4"]))
        return [target for target, chops in made.items() if "PR4" in chops]

    assert targets("family") == ["one 2", "pair of 2s", "quad of 2s", "Q", "PR3"]
    assert targets("thirteen") == ["one 2", "pair of 2s", "Q", "PR3"]


def test_with_two_decks_nothing_beats_four_twos_where_their_row_is_empty():
    prepare(decks=2)
    rules = with_options(preset("thirteen"), {"instant_wins": []})
    decided = table(rules)
    low, high = (
        decided.classify(pack(parse_cards(cards))) for cards in ("2S 2S 2C 2C", "2D 2D 2H 2H")
    )
    assert not decided.beats(high, low)
    assert decided.answers(packed_of(high), low) == []
    free = table(with_options(rules, {"chops": {"four_twos": ["PR5"]}}))
    assert free.beats(high, low)
    assert high in free.answers(packed_of(high), low)


def test_a_locked_out_seat_is_told_which_plays_it_has_left():
    four, run = "5S 5C 6S 6C 7S 7C 8S 8C", "5S 5C 6S 6C 7S 7C"
    table = Table(rules("mien-nam"), "4S 2S", four, "6D", leader=0)
    table.play(0, "4S").passes(1).play(2, "6D").passes(3).play(0, "2S")
    assert "rules for passed players" in refused(table, 1, run)
