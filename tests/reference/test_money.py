"""The payments of the reference, by the worked examples of the Southern game and by hand."""

from __future__ import annotations

import pytest

from tests.reference import records
from tests.reference.game_text import record


def paid(key, hands, actions, **fields):
    """Net and payments as (from, to, amount, reason), sorted."""
    done = records.replay(record(key, hands, actions, **fields))
    payments = [(p["from"], p["to"], p["amount"], p["reason"]) for p in done["payments"]]
    return done["placings"], done["net"], sorted(payments)


def test_only_the_last_debt_of_a_chain_is_paid_and_left_twos_cost():
    hands = ["2H 5S", "3S 6S 6C 7S 7C 8S 8C 2S", "4S 9S 9C 9D 9H", "3C 4D"]
    actions = """
        3 3C
        0 2H
        1 6S 6C 7S 7C 8S 8C
        2 9S 9C 9D 9H
        3 pass
        0 pass
        1 pass
        2 4S
        3 pass
        0 5S
        1 pass
        1 3S
        3 4D
    """
    assert paid("mien-nam", hands, actions, leader=3) == (
        [[2], [0], [3], [1]],
        [1, -7, 7, -1],
        [(1, 2, 1, "twos_left"), (1, 2, 2, "loser"), (1, 2, 4, "chop"), (3, 0, 1, "third")],
    )


def test_a_seat_without_a_play_pays_the_first_and_no_placing():
    hands = ["3S 4S", "5S 6S", "3H 4H 7C 2H", "9S 9C 9D 9H 2C 2D"]
    actions = """
        0 3S
        1 5S
        2 7C
        3 pass
        0 pass
        1 pass
        2 3H
        3 pass
        0 4S
        1 6S
        2 pass
        2 4H
        3 2C
        2 pass
        3 9S 9C 9D 9H
        2 pass
        3 2D
    """
    placings, net, payments = paid("mien-nam", hands, actions)
    assert placings == [[0], [1], [3], [2]]
    assert net == [13, 0, -4, -9]
    assert payments == [(2, 0, 2, "loser"), (2, 0, 2, "twos_left"), (3, 0, 9, "cong")]


def test_an_instant_win_of_the_southern_game_costs_the_others_four():
    hands = [
        "3S 3H 5S 6S 7H 8S 8H 9S JS JH QS KS AS",
        "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2C",
        "3D 4D 4S 5D 6D 6H 8D 9D 9H JD QD KD AD",
    ]
    assert paid("mien-nam", hands, "") == (
        [[1], [0, 2]],
        [-4, 8, -4],
        [(0, 1, 4, "instant_win"), (2, 1, 4, "instant_win")],
    )


KILLA = ["2H 4S 5S", "6S 6C 7S 7C 8S 8C 4C 5C", "9S 9C 9D 9H 4D", "3S 4H TH"]


def test_a_beaten_bomb_gives_its_earning_back_and_costs_two():
    actions = """
        3 3S
        0 2H
        1 6S 6C 7S 7C 8S 8C
        2 9S 9C 9D 9H
        3 pass
        0 pass
        1 pass
        2 pass
    """
    assert paid("killa", KILLA, actions)[2] == [(1, 2, 2, "chop")]


def test_a_chop_is_not_paid_before_its_trick_ends():
    actions = """
        3 3S
        0 2H
        1 6S 6C 7S 7C 8S 8C
        2 pass
        3 pass
        0 pass
    """
    assert paid("killa", KILLA, actions)[2] == []
    assert paid("killa", KILLA, actions + "1 pass")[2] == [(0, 1, 1, "chop")]


def test_beating_a_bomb_that_was_led_earns_one():
    hands = ["3S 6S 6C 7S 7C 8S 8C", "9S 9C 9D 9H 4D"]
    actions = """
        0 6S 6C 7S 7C 8S 8C
        1 9S 9C 9D 9H
        0 pass
        1 pass
    """
    assert paid("killa", hands, actions, leader=0)[2] == [(0, 1, 1, "chop")]


def test_the_loser_pays_each_other_in_penguin():
    assert paid("penguin", ["3S", "4S 5S", "4C"], "0 3S\n1 pass\n2 4C", stake=3) == (
        [[0], [2], [1]],
        [3, -6, 3],
        [(1, 0, 3, "loser"), (1, 2, 3, "loser")],
    )


@pytest.mark.parametrize(
    ("left", "owed"),
    [
        ("9S 9C 9D 9H 2S 2H", [(1, 0, 2, "bombs_left"), (1, 0, 3, "twos_left")]),
        ("2S 2C 2D 2H", [(1, 0, 6, "twos_left")]),
        ("6S 6C 7S 7C 7D 7H 8S 8C", [(1, 0, 2, "bombs_left")]),
        ("6S 6C 7S 7C 8S 8C 9S 9C 9D 9H", [(1, 0, 4, "bombs_left")]),
        ("6S 6C 7S 7C 8S 8C 9S 9C 9D TS TC JS JC", [(1, 0, 4, "bombs_left")]),
    ],
)
def test_the_last_pays_for_twos_and_bombs_without_a_common_card(left, owed):
    hands = ["3S 4D 5D", f"3H {left}"]
    actions = "0 3S\n1 3H\n0 4D\n1 pass\n0 5D"
    assert paid("mien-nam", hands, actions)[2] == sorted([*owed, (1, 0, 2, "loser")])
