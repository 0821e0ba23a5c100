"""What a game costs."""

import pytest

from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.payments import net, payments_from_placings
from engine.rules.southern_money import bomb_value, left_with
from engine.rules.state import Payment
from tests.engine.play import Table, rules

PR3 = "5S 5C 6S 6C 7S 7C"


@pytest.mark.parametrize(
    ("key", "placings", "balance"),
    [
        ("killa", [[1], [0, 2, 3]], [-1, 3, -1, -1]),
        ("killa", [[0, 1, 2], [3]], [1, 1, 1, -3]),
        ("penguin", [[1], [0], [2, 3]], [2, 2, -2, -2]),
        ("mien-nam", [[1], [0, 2, 3]], [-2, 6, -2, -2]),
        ("mien-nam", [[0], [1], [2], [3]], [2, 1, -1, -2]),
        ("mien-nam", [[0], [1], [2]], [2, 0, -2]),
        ("mien-nam", [[0], [1]], [2, -2]),
        ("tien-len", [[0], [1], [2], [3]], [0, 0, 0, 0]),
    ],
)
def test_each_seat_of_a_shared_place_pays_or_gets_what_one_alone_would(key, placings, balance):
    assert net(len(balance), payments_from_placings(rules(key), placings)) == balance


class TestMienNam:
    @pytest.mark.parametrize(
        ("hand", "value"),
        [
            ("3S 3C 3D 3H", 2),
            ("3S 3C 4S 4C 5S 5C", 2),
            ("3S 3C 4S 4C 5S 5C 6S 6C", 2),
            ("3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 8S 8C", 4),
            ("3S 3C 3D 3H 4S 4C 5S 5C", 2),
            ("3S 3C 3D 3H 4S 4C 5S 5C 6S 6C", 4),
            ("3S 3C 3D 3H 4S 4C 4D 4H 5S 5C 5D 5H", 6),
            ("QS QC KS KC AS AC", 2),
            ("KS KC AS AC 2S 2C", 0),
            ("2S 2C 2D 2H", 0),
            ("3S 4S 5S", 0),
        ],
    )
    def test_bombs_left_are_the_best_choice_without_a_common_card(self, hand, value):
        assert left_with(rules("mien-nam"), pack(parse_cards(hand))).bombs == value

    def test_a_run_of_quads_is_worth_each_of_its_quads(self):
        ruleset = rules("mien-nam", quad_runs=True)
        table = Table(ruleset, "4S 4C 4D 4H 5S 5C 5D 5H 9S", leader=0)
        table.play(0, "4S 4C 4D 4H 5S 5C 5D 5H")
        assert bomb_value(ruleset, table.state.top) == 4

    def test_a_longer_run_may_be_worth_more_than_its_parts(self):
        ruleset = rules("mien-nam", money={"pair_run_4": 9})
        run = pack(parse_cards("3S 3C 4S 4C 5S 5C 6S 6C 7S 7C 8S 8C"))
        assert left_with(ruleset, run).bombs == 9

    def test_of_bombs_of_equal_worth_those_of_fewer_cards_are_paid(self):
        ruleset = rules("mien-nam", money={"quad": 1, "pair_run_3": 2})
        held = left_with(ruleset, pack(parse_cards("3S 3C 4S 4C 4D 4H 5S 5C 5D 5H")))
        assert (held.bombs, held.apart) == (2, 6)

    @pytest.mark.parametrize("key", ["mien-nam", "mien-bac"])
    def test_a_run_longer_than_the_ruleset_has_is_paid_as_one_that_it_has(self, key):
        held = pack(parse_cards("4S 4C 5S 5C 6S 6C 7S 7C KD"))
        amounts = {"pair_run_3": 3, "pair_run_4": 9}
        for longest, paid in ((13, (9, 8)), (3, (3, 6)), (2, (0, 0))):
            left = left_with(rules(key, longest_pair_run=longest, money=amounts), held)
            assert (left.bombs, left.apart) == paid

    def test_a_chain_on_a_led_bomb_counts_what_was_beaten(self):
        table = Table(
            rules("mien-nam"), PR3, "9S 9C 9D 9H", "TS TC TD TH", leader=0
        )  # fmt: skip
        table.play(0, PR3).play(1, "9S 9C 9D 9H").play(2, "TS TC TD TH")
        assert table.state.debt == Payment(1, 2, 4, "chop")
