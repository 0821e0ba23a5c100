"""Who leads, with what, and who deals next."""

import random

import pytest

from engine.rules.deal import NextDeal, deal, first_dealt, next_deal
from engine.rules.game import start
from engine.rules.ruleset import CHOICES
from tests.engine.play import Table, refused, rules

LOW = "3S 3C 3D 4S 5S 4C 4D 5C 5D"


def test_in_penguin_the_lowest_card_is_led_by_itself():
    """penguin-book, "Play": unaccompanied by any other card."""
    table = Table(rules("penguin"), "", LOW, "", "")
    assert table.legal == ["3S"]
    assert "that card alone" in refused(table, 1, "3S 3C")


def test_in_hawaii_the_lowest_card_is_led_alone_in_a_pair_or_a_sequence():
    """tien-len-vc, "Killer (Hawaiian variant)"."""
    table = Table(rules("hawaii-killer"), "", LOW, "", "")
    assert "3S 3C" in table.legal
    assert "3S 4S 5S" in table.legal
    assert "a single, a pair" in refused(table, 1, "3S 3C 3D")
    assert "a single, a pair" in refused(table, 1, "3S 3C 4S 4C 5S 5C")


def test_the_first_play_may_not_be_a_pair_run_where_the_option_is_on():
    """tien-len-vc, "House rules", less common variations."""
    table = Table(rules("tien-len", first_play_not_pair_run=True), "", LOW)
    assert "3S 3C 3D" in table.legal
    assert "pair run" in refused(table, 1, "3S 3C 4S 4C 5S 5C")
    free = Table(rules("tien-len", first_play_not_pair_run=True), LOW, leader=0)
    assert "pair run" in refused(free, 0, "3S 3C 4S 4C 5S 5C")


class TestOpeningWithThreePairs:
    """tien-len-vc, "House rules": three consecutive pairs at the beginning without the lead."""

    RUN = "6S 6C 7S 7C 8S 8C"

    def table(self):
        return Table(
            rules("tien-len", pair_run_opens=True), "", LOW, self.RUN, "6D 6H 7D 7H 8D 8H 2S"
        )  # fmt: skip

    def test_the_first_to_open_leads_without_the_lowest_card(self):
        table = self.table().passes(1).play(2, self.RUN)
        assert table.turn == 3
        assert table.state.must_include == 0
        table.passes(3, 0, 1).passes(2)
        assert table.turn == 2
        assert [text for text in table.legal if len(text) == 2] != ["3S"]

    def test_nobody_opens_with_all_cards_where_a_two_may_not_be_the_last(self):
        options = {"pair_run_opens": True, "last_play": "no_twos", "twos_top_pair_runs": True}
        ruleset = rules("tien-len", cards_each={"2": 6}, **options)
        table = Table(ruleset, "3S 4C 5D 7H 9S JC", "KS KC AS AC 2S 2C", players=2, leader=0)
        assert table.passes(0).legal == ["pass"]

    def test_nobody_opens_where_pair_runs_are_no_plays(self):
        ruleset = rules("tien-len", pair_run_opens=True, longest_pair_run=2)
        assert Table(ruleset, "3S", self.RUN, leader=1).legal == ["pass"]

    def test_other_plays_are_refused_while_asking(self):
        assert "asked whether it opens" in refused(self.table(), 1, "3S")


@pytest.mark.parametrize(
    ("leads", "empty", "expected"),
    [
        ("winner", [], NextDeal(dealer=1, leader=2)),
        ("winner", [2], NextDeal(dealer=1, leader=None)),
        ("winner", [1], NextDeal(dealer=3, leader=2)),
        ("lowest", [], NextDeal(dealer=1, leader=None)),
        ("lowest", [2], NextDeal(dealer=1, leader=None)),
        ("lowest", [1], NextDeal(dealer=3, leader=None)),
    ],
)
def test_an_empty_seat_neither_deals_nor_leads(leads, empty, expected):
    """Each value, with the winner's and the loser's seat empty: a new value is a new row."""
    ruleset = rules("mien-nam", later_games_led_by=leads)
    assert next_deal(ruleset, [[2], [0], [3], [1]], empty=empty) == expected


@pytest.mark.parametrize(
    ("leads", "gone", "leader"),
    [
        ("winner", [2], None),
        ("winner", [1], 2),
        ("lowest", [2], None),
        ("lowest", [1], None),
    ],
)
def test_a_new_player_in_a_seat_does_not_inherit_its_lead(leads, gone, leader):
    """Each value, with a new player in the winner's and in the loser's seat."""
    ruleset = rules("mien-nam", later_games_led_by=leads)
    assert next_deal(ruleset, [[2], [0], [3], [1]], gone=gone) == NextDeal(1, leader)


def test_each_value_of_who_leads_has_its_rows():
    for test in (
        test_an_empty_seat_neither_deals_nor_leads,
        test_a_new_player_in_a_seat_does_not_inherit_its_lead,
    ):
        [mark] = test.pytestmark
        assert {row[0] for row in mark.args[1]} == set(CHOICES["later_games_led_by"])


def test_of_those_who_share_the_last_place_the_highest_seat_deals():
    assert next_deal(rules("mien-nam"), [[1], [0, 2, 3]]).dealer == 3


def test_killas_first_card_goes_to_the_winner():
    """killa, "How to Play"."""
    assert first_dealt(rules("killa"), dealer=1, players=4, winner=3) == 3
    assert first_dealt(rules("family"), dealer=3, players=4, winner=1) == 0


@pytest.mark.parametrize(
    ("key", "players", "sizes"),
    [("thirteen", 2, [13, 13]), ("thirteen", 3, [17, 17, 17]), ("thirteen", 8, [13] * 8),
     ("tien-len", 3, [13, 13, 13])],
)  # fmt: skip
def test_deal_gives_each_seat_its_cards(key, players, sizes):
    hands = deal(rules(key), players, random.Random(1))
    assert [len(hand) for hand in hands] == sizes
    cards = [card for hand in hands for card in hand]
    assert max(cards.count(card) for card in cards) <= (2 if players > 4 else 1)


def test_deal_all_gives_the_odd_card_to_the_first_dealt():
    """tien-len-vc, "Dealing": the whole deck may be dealt out."""
    hands = deal(rules("tien-len", deal_all=True), 3, random.Random(1), first=2)
    assert [len(hand) for hand in hands] == [17, 17, 18]
    assert sorted(card for hand in hands for card in hand) == list(range(52))
    start(rules("tien-len", deal_all=True), hands)
