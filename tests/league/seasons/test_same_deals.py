"""Scores against those who held the same hand: the worked example of one deal at four tables."""

from fractions import Fraction

import pytest

from league.seasons.domain.same_deals import (
    HeldHand,
    by_entrant,
    differences,
    error,
    hand_of,
    played_hands,
    shares,
)

PLACES = {"N": [1, 2, 2, 4], "E": [3, 1, 4, 3], "S": [2, 4, 1, 2], "W": [4, 3, 3, 1]}
MONEY = {"N": [7, 1, 1, -3], "E": [-1, 3, -3, -1], "S": [1, -3, 3, 1], "W": [-7, -1, -1, 3]}


@pytest.mark.parametrize(
    ("hand", "percent"),
    [("N", [100, 50, 50, 0]), ("E", [50, 100, 0, 50]), ("S", [50, 0, 100, 50]),
     ("W", [0, 50, 50, 100])],
)  # fmt: skip
def test_by_places_each_holder_has_the_share_of_the_others_that_it_beat(hand, percent):
    assert [100 * share for share in shares(PLACES[hand])] == percent
    assert sum(shares(PLACES[hand])) == 2


@pytest.mark.parametrize(
    ("hand", "mean"),
    [("N", [7.33, -0.67, -0.67, -6.0]), ("E", [-0.67, 4.67, -3.33, -0.67]),
     ("S", [0.67, -4.67, 3.33, 0.67]), ("W", [-7.33, 0.67, 0.67, 6.0])],
)  # fmt: skip
def test_by_money_each_holder_has_the_mean_difference_to_the_others(hand, mean):
    assert [round(float(each), 2) for each in differences(MONEY[hand])] == mean
    assert sum(differences(MONEY[hand])) == 0


def test_who_held_a_hand_alone_is_neither_better_nor_worse():
    assert shares([3]) == [Fraction(1, 2)]
    assert differences([5]) == [0]


def test_hands_turn_so_that_four_deals_give_each_seat_each_hand():
    for seat in range(4):
        assert {hand_of(seat, number) for number in (1, 2, 3, 4)} == {0, 1, 2, 3}


def test_a_night_is_the_mean_of_its_deals_with_its_error():
    """Table t plays deal 1 with the places of the example; only holders of a hand compare."""
    held = [
        HeldHand((1, 1), hand, f"{name}{table}", place)
        for hand, (name, places) in enumerate(PLACES.items())
        for table, place in enumerate(places, start=1)
    ]
    found = by_entrant(played_hands(held))
    assert found["N1"] == [1]
    assert found["N4"] == [0]
    assert sum(sum(own) for own in found.values()) == len(held) / 2
    assert error([Fraction(1)]) is None
    assert round(error([Fraction(1), Fraction(0)]) or 0, 1) == 98.0


def test_shared_places_and_tables_of_other_sizes_compare():
    """A shared first place of four lies between first and second; last of three is last of four."""
    held = [
        HeldHand((1, 1), 0, "a", 1, tied=2),
        HeldHand((1, 1), 0, "b", 2),
        HeldHand((1, 1), 0, "c", 1),
        HeldHand((1, 1), 0, "d", 3, size=3),
    ]
    found = {one.held.entrant: one.share for one in played_hands(held)}
    assert found == {"c": 1, "a": Fraction(2, 3), "b": Fraction(1, 3), "d": 0}
