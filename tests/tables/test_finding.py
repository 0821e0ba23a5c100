"""Puzzles are found in games at open tables, and only sure ones become a day's puzzle."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from engine.rules.actions import SeatAction, action_from_json
from tables import tasks
from tables.models import Game, Puzzle, Table
from tables.reviews.acts import finding, making
from tests.tables import live
from tests.tables.reviewed import HANDS, judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A reviewed game at a table for anyone."""
    table = live.open_table("tien-len", people=4)
    live.set_hands(table, HANDS)
    found = live.play_quickly(table)
    Table.objects.update(for_anyone=True)
    making.keep(game=found, body=judged(found))
    return found


class Agrees:
    """A bot that plays the judge's best move, or any other."""

    def __init__(self, best: SeatAction, *, agrees: bool) -> None:
        self.best, self.agrees = best, agrees

    def choose(self, seen: Any, legal: Any) -> SeatAction:
        others = [one for one in legal if one != self.best]
        return self.best if self.agrees else others[0]


def check(monkeypatch: pytest.MonkeyPatch, *, agrees: bool = True, **changed: Any) -> None:
    """What a worker does, with a judge that finds what was found before, or something else."""
    found: dict[str, Any] = {}

    def decide(seen: Any, legal: Any, second: SeatAction, effort: Any, dice: Any) -> dict[str, Any]:
        assert effort.more == 20_000
        assert second == action_from_json(found["top"][1][0])
        return found | changed

    def make(name: str, seed: int) -> Agrees:
        return Agrees(action_from_json(found["best"]), agrees=agrees)

    monkeypatch.setattr(finding.making, "is_ready", lambda: True)
    monkeypatch.setattr(finding.judge, "decide", decide)
    monkeypatch.setattr(finding.bots, "make", make)
    finding._find()
    found |= Puzzle.objects.get().decision
    tasks.plan_puzzles()


def test_a_sure_decision_becomes_the_puzzle_of_the_day(game, monkeypatch):
    check(monkeypatch)
    puzzle = Puzzle.objects.get()
    assert (puzzle.state, puzzle.day) == (Puzzle.State.READY, timezone.localdate())
    tasks.plan_puzzles()
    assert Puzzle.objects.count() == 1


def test_of_two_planners_the_second_changes_nothing(game, monkeypatch):
    check(monkeypatch)
    Puzzle.objects.update(day=None)

    def taken(self, **fields):
        raise IntegrityError("the other planner was first")

    monkeypatch.setattr(Puzzle, "save", taken)
    finding.plan(today=timezone.localdate())
    assert Puzzle.objects.get().day is None


@pytest.mark.parametrize(
    "changed", [{"loss": 0.4}, {"s": 0.2}, {"agrees": False}, {"top": [[{}, 2.0], [{}, 1.8]]}]
)
def test_what_more_games_do_not_confirm_is_refused(game, monkeypatch, changed):
    check(monkeypatch, **changed)
    puzzle = Puzzle.objects.get()
    assert (puzzle.state, puzzle.day) == (Puzzle.State.REFUSED, None)


def test_games_of_closed_tables_are_no_puzzles(game):
    Table.objects.update(for_anyone=False)
    finding._find()
    assert not Puzzle.objects.exists()
