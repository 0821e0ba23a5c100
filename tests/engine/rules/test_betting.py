"""What a game costs."""

import pytest

from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.payments import net, payments_from_placings, units_for_cong
from engine.rules.southern_money import bomb_value, left_with, twos_value
from engine.rules.state import Payment
from tests.engine.play import Table, rules, run_down

PR3 = "5S 5C 6S 6C 7S 7C"
HIGHER_PR3 = "5D 5H 6D 6H 7D 7H"


def paid(table):
    return [(p.sender, p.receiver, p.amount, p.reason) for p in table.result.payments]


def test_nobody_pays_without_betting():
    table = run_down(Table(rules("tien-len"), "3S", leader=0))
    assert paid(table) == []


def test_killas_loser_pays_the_winner():
    """killa, "Betting" 1."""
    assert payments_from_placings(rules("killa"), [[2], [0], [3], [1]], 5) == [
        Payment(1, 2, 5, "loser")
    ]


def test_penguins_loser_pays_each_of_the_others():
    """penguin-book, "Ending"; thirteen-guide, "Betting Variants"."""
    payments = payments_from_placings(rules("penguin"), [[2], [0], [3], [1]], 3)
    assert net(4, payments) == [3, -9, 3, 3]


@pytest.mark.parametrize(
    ("key", "placings", "balance"),
    [
        ("killa", [[1], [0, 2, 3]], [-1, 3, -1, -1]),
        ("penguin", [[1], [0], [2, 3]], [2, 2, -2, -2]),
        ("mien-nam", [[1], [0, 2, 3]], [-2, 6, -2, -2]),
        ("mien-nam", [[0], [1], [2], [3]], [2, 1, -1, -2]),
        ("mien-nam", [[0], [1], [2]], [2, 0, -2]),
        ("mien-nam", [[0], [1]], [2, -2]),
        ("tien-len", [[0], [1], [2], [3]], [0, 0, 0, 0]),
    ],
)
def test_each_seat_of_a_shared_last_place_pays_what_the_last_would(key, placings, balance):
    assert net(len(balance), payments_from_placings(rules(key), placings)) == balance


class TestKillaChops:
    """killa, "Betting" 2 and 3; paid when the trick ends."""

    def test_a_chop_on_a_two_earns_one(self):
        table = Table(rules("killa"), "2S 4S", PR3, leader=0, stake=10)
        table.play(0, "2S").play(1, PR3)
        assert paid(table) == []
        table.passes(2, 3, 0).passes(1)
        assert paid(table) == [(0, 1, 10, "chop")]

    def test_a_bomb_on_a_led_bomb_earns_one(self):
        table = Table(rules("killa"), PR3, "9S 9C 9D 9H", leader=0)
        table.play(0, PR3).play(1, "9S 9C 9D 9H").passes(2, 3, 0).passes(1)
        assert paid(table) == [(0, 1, 1, "chop")]

    def test_a_bomb_on_a_bomb_that_earned_voids_it_and_earns_two(self):
        table = Table(rules("killa"), "2S", PR3, HIGHER_PR3, "9S 9C 9D 9H", leader=0)
        table.play(0, "2S").play(1, PR3).play(2, HIGHER_PR3)
        table.play(3, "9S 9C 9D 9H").passes(0, 1, 2).passes(3)
        assert paid(table) == [(2, 3, 2, "chop")]

    def test_beating_ones_own_play_pays_and_voids_nothing(self):
        table = Table(rules("killa"), "2S", PR3 + " 9S 9C 9D 9H", leader=0)
        table.play(0, "2S").play(1, PR3).passes(2, 3, 0)
        table.play(1, "9S 9C 9D 9H").passes(1)
        assert paid(table) == [(0, 1, 1, "chop")]

    def test_chopping_ones_own_two_pays_nothing(self):
        table = Table(rules("killa"), "2S " + PR3, leader=0)
        table.play(0, "2S").passes(1, 2, 3).play(0, PR3).passes(0)
        assert paid(table) == []


class TestMienNam:
    def test_only_the_last_debt_of_a_chain_is_paid(self):
        table = Table(rules("mien-nam"), "2H", PR3 + " 2S", "9S 9C 9D 9H", leader=0)
        table.play(0, "2H").play(1, PR3).play(2, "9S 9C 9D 9H").passes(3, 0, 1)
        while table.state.locked:
            table.passes(table.turn)
        assert paid(table) == [(1, 2, 4, "chop")]

    def test_a_two_on_a_two_pays_nothing(self):
        table = Table(rules("mien-nam"), "2S", "2H", leader=0)
        table.play(0, "2S").play(1, "2H").passes(2, 3, 0)
        while table.state.top:
            table.passes(table.turn)
        assert paid(table) == []

    def test_settings_are_units(self):
        ruleset = rules("mien-nam", money={"red_two": 7})
        table = Table(ruleset, "2H", PR3, leader=0, stake=3)
        table.play(0, "2H").play(1, PR3).passes(2, 3, 0)
        while table.state.top:
            table.passes(table.turn)
        assert paid(table) == [(0, 1, 21, "chop")]

    def test_places_of_cong_lapse_even_where_cong_costs_nothing(self):
        """Cóng is who never played, not who paid for it."""
        ruleset = rules("mien-nam", money={"cong": 0, "black_two": 0, "red_two": 0})
        spades = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2S"
        others = (spades.replace("S", "C"), spades.replace("S", "D"))
        table = Table(ruleset, spades, *others, players=3, leader=0)
        table.play(0, "3S").passes(1, 2).play(0, "4S 5S 6S 7S 8S 9S TS JS QS KS AS").passes(1, 2)
        table.play(0, "2S").passes(1, 2)
        assert table.state.cong == 0b110
        assert paid(run_down(table)) == []

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

    def test_black_and_red_twos(self):
        ruleset = rules("mien-nam")
        assert twos_value(ruleset, pack(parse_cards("2S 2C 2D 2H AS"))) == 6
        assert units_for_cong(ruleset, left_with(ruleset, pack(parse_cards("2S 3S")))) == 5

    def test_a_chain_on_a_led_bomb_counts_what_was_beaten(self):
        table = Table(
            rules("mien-nam"), PR3, "9S 9C 9D 9H", "TS TC TD TH", leader=0
        )  # fmt: skip
        table.play(0, PR3).play(1, "9S 9C 9D 9H").play(2, "TS TC TD TH")
        assert table.state.debt == Payment(1, 2, 4, "chop")
