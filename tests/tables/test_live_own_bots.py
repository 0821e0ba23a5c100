"""Bots that the owner brought, at people's tables: none may stop a game."""

from random import Random

import pytest

from engine import bots
from engine.rules.deal import deal
from engine.rules.game import legal_actions, start
from engine.rules.ruleset import preset
from tables.bots.facts import autopilot
from tables.chairs.acts import seats
from tables.programs.program import Program
from tables.refusals import TableRefusal


class Sound:
    version = 1

    def __init__(self, seed):
        pass

    def choose(self, observation, legal):
        return legal[-1]


class Broken(Sound):
    def choose(self, observation, legal):
        raise ValueError("no idea")


def a_state():
    return start(preset("thirteen"), deal(preset("thirteen"), 4, Random(3)))


def test_a_class_chooses_like_a_bot_of_the_ladder(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Sound)
    state = a_state()
    assert autopilot.bot_action(state, "odd") == legal_actions(state)[-1]


def test_the_autopilot_acts_for_a_bot_that_fails_or_went_away(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Broken)
    state = a_state()
    assert autopilot.bot_action(state, "odd") == autopilot.cautious(state)
    assert autopilot.bot_action(state, "gone") == autopilot.cautious(state)


def test_a_program_is_never_started_for_a_table(monkeypatch, tmp_path):
    monkeypatch.setitem(bots.BOTS, "odd", Program("odd", ("./nothing",), tmp_path, 1))
    state = a_state()
    assert autopilot.bot_action(state, "odd") == autopilot.cautious(state)


@pytest.mark.django_db
def test_a_program_takes_no_chair_at_a_table(monkeypatch, tmp_path):
    monkeypatch.setitem(bots.BOTS, "odd", Program("odd", ("./nothing",), tmp_path, 1))
    table = seats.open_table(ruleset=preset("thirteen"), players=4)
    with pytest.raises(TableRefusal, match="no_such_bot"):
        seats.fill_with_bots(table_id=table.pk, bot="odd")
    assert not table.seats.exists()
