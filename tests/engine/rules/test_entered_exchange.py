"""Cards owed at a table with real cards, from what was entered of the game before."""

from dataclasses import replace

import pytest

from engine.rules.entered_exchange import steps_after
from engine.rules.inherited import ASK, MOVE, RETURN, TWOS, Step
from engine.rules.ruleset import preset
from engine.rules.specials import Special, SpecialError, offered, payments_of_game

FAMILY = preset("family")
PLACES = [[0], [1], [2], [3]]
CHOP = Special("chop", by=1, of=0, what="2")
COUNTER = Special("chop", by=2, of=1, what="bomb", chained=True)


def test_each_chop_of_a_chain_asks_as_often_as_it_is_high():
    assert steps_after(FAMILY, PLACES, [CHOP, COUNTER]) == [
        Step(ASK, 1, 0),
        Step(ASK, 2, 1),
        Step(ASK, 2, 1),
    ]
    assert steps_after(FAMILY, PLACES, [CHOP, COUNTER], gone=[0]) == [Step(ASK, 2, 1)] * 2
    assert steps_after(FAMILY, PLACES, [CHOP._replace(what="bomb")]) == []


def test_the_winner_takes_by_the_places_alone():
    rules = replace(FAMILY, exchange=("winner_takes",))
    assert steps_after(rules, PLACES) == [
        Step(MOVE, 0, 3, 2, back=False),
        Step(MOVE, 1, 2, 1, back=False),
        Step(RETURN, 0, 3, 2),
        Step(RETURN, 1, 2, 1),
    ]


def test_debts_and_twos_left_come_from_what_was_entered():
    rules = replace(FAMILY, exchange=("chop_debt", "twos_left"))
    left = [Special("left", of=3, what="2")] * 2
    assert offered(rules).left == ("2",)
    assert steps_after(rules, PLACES, [CHOP._replace(what="22"), *left]) == [
        Step(MOVE, 1, 0, 2, TWOS),
        Step(MOVE, 0, 3, 2, TWOS),
    ]
    with pytest.raises(SpecialError, match="too_many_twos"):
        payments_of_game(rules, PLACES, [*left * 2, Special("left", of=3, what="2")])


def test_chops_for_which_only_cards_are_owed_cost_no_money():
    plain = payments_of_game(FAMILY, PLACES, [], 5)
    assert payments_of_game(FAMILY, PLACES, [CHOP, COUNTER], 5) == plain
    assert offered(replace(FAMILY, exchange=())).chops == ()
