"""Puzzles are found in games at open tables, and only sure ones become a day's puzzle."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from tables import tasks
from tables.chairs.acts import seats
from tables.models import Game, Puzzle, Review, Table
from tables.play.facts import archive
from tables.reviews.acts import finding, making
from tests.tables import live
from tests.tables.reviewed import HANDS, decided, judged, planned
from tests.worlds import lived_from, made_once

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 08:00Z")
DAY = datetime.date(2026, 11, 20)


@made_once
def game() -> Game:
    """A reviewed game at a table for anyone."""
    found = live.play_quickly(live.dealt("tien-len", people=4, hands=HANDS))
    Table.objects.update(for_anyone=True)
    making.keep(game=found, body=judged(found))
    return found


def test_a_sure_decision_becomes_the_puzzle_of_the_day(game, monkeypatch):
    planned(monkeypatch)
    puzzle = Puzzle.objects.get()
    assert (puzzle.state, puzzle.day) == (Puzzle.State.READY, DAY)
    tasks.plan_puzzles()
    assert Puzzle.objects.count() == 1


def test_of_two_planners_the_second_changes_nothing(game, monkeypatch):
    planned(monkeypatch)
    Puzzle.objects.update(day=None)

    def taken(self, **fields):
        raise IntegrityError("the other planner was first")

    monkeypatch.setattr(Puzzle, "save", taken)
    finding.plan(days=[DAY])
    assert Puzzle.objects.get().day is None


@pytest.mark.parametrize(
    ("moment", "has"),
    [("2026-11-20 09:59Z", [0]), ("2026-11-20 10:01Z", [0, 1]), ("2026-11-21 00:01Z", [1])],
)
def test_a_day_has_its_puzzle_once_it_has_begun_somewhere(
    game, monkeypatch, time_machine, moment, has
):
    planned(monkeypatch)
    ready = Puzzle.objects.get()
    for step in (200, 201):
        Puzzle.objects.create(game=game, step=step, decision=ready.decision, state="ready")
    Puzzle.objects.update(day=None)
    time_machine.move_to(moment)
    tasks.plan_puzzles()
    found = Puzzle.objects.exclude(day=None).order_by("day").values_list("day", flat=True)
    assert [(day - DAY).days for day in found] == has


@pytest.mark.parametrize(
    "changed", [{"loss": 0.4}, {"s": 0.2}, {"agrees": False}, {"top": [[{}, 2.0], [{}, 1.8]]}]
)
def test_what_more_games_do_not_confirm_is_refused(game, monkeypatch, changed):
    planned(monkeypatch, **changed)
    puzzle = Puzzle.objects.get()
    assert (puzzle.state, puzzle.day) == (Puzzle.State.REFUSED, None)


def test_a_decision_that_cannot_be_checked_holds_up_no_other(game, monkeypatch):
    planned(monkeypatch)
    ready = Puzzle.objects.get()
    Puzzle.objects.update(day=None)
    broken = Puzzle.objects.create(game=game, step=200, decision=ready.decision)

    def check(*_given):
        raise ValueError("the judge is lost")

    monkeypatch.setattr(finding.puzzles, "check", check)
    tasks.plan_puzzles()
    for puzzle in (ready, broken):
        puzzle.refresh_from_db()
    assert (ready.day, broken.state) == (DAY, Puzzle.State.REFUSED)


def test_games_of_closed_tables_are_no_puzzles(game):
    Table.objects.update(for_anyone=False)
    finding._find()
    assert not Puzzle.objects.exists()


def all_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the judge finds each decision of the newest game sure."""

    def review(*_given: Any) -> dict[str, Any]:
        return {"decisions": decided(archive.record(Game.objects.exclude(over_at=None).last()))}

    monkeypatch.setattr(making, "is_ready", lambda: True)
    monkeypatch.setattr(finding.judge, "review", review)
    monkeypatch.setattr(finding.puzzles, "check", lambda *_given: ({}, ""))


def test_where_nobody_has_played_the_house_plays_for_the_puzzle_of_the_day(game, monkeypatch):
    all_sure(monkeypatch)
    Review.objects.all().delete()
    tasks.plan_puzzles()
    puzzle = Puzzle.objects.get()
    assert (puzzle.state, puzzle.day) == (Puzzle.State.READY, DAY)
    table = puzzle.game.table
    assert table.pk > game.table_id
    assert (table.status, table.games.exclude(over_at=None).count()) == ("closed", 1)
    page = Client().get(reverse("tables:puzzle_today")).content.decode()
    assert "from a game of bots" in page
    assert not [name for name in seats.BOT_NAMES if name in page]
    tasks.plan_puzzles()
    assert Table.objects.last() == table, "The day has its puzzle"


def test_the_house_plays_only_while_no_puzzle_is_coming(game, monkeypatch):
    """One of a game of people waits for its check, or the process cannot check at all."""
    all_sure(monkeypatch)
    tasks.plan_puzzles()
    assert list(Puzzle.objects.values_list("game", flat=True)) == [game.pk]
    Puzzle.objects.all().delete()
    Review.objects.all().delete()
    monkeypatch.setattr(making, "is_ready", lambda: False)
    tasks.plan_puzzles()
    assert not Puzzle.objects.exists()
    monkeypatch.setattr(making, "is_ready", lambda: True)
    monkeypatch.setattr(seats, "MOST_OPEN", 0)
    tasks.plan_puzzles()
    assert not Puzzle.objects.exists()


@pytest.mark.parametrize("broken", ["the judge", "a bot that never moves"])
def test_a_game_of_the_house_that_gives_no_puzzle_waits_an_hour_for_the_next(
    game, monkeypatch, broken
):
    all_sure(monkeypatch)
    Review.objects.all().delete()
    if broken == "the judge":
        monkeypatch.setattr(finding.judge, "review", lambda *_given: {}["decisions"])
    else:
        monkeypatch.setattr(finding.games, "tick", lambda _table: False)
    tasks.plan_puzzles()
    tasks.plan_puzzles()
    assert not Puzzle.objects.exists()
    played = Table.objects.exclude(pk=game.table_id)
    assert [table.status for table in played] == ["closed"] * (broken == "the judge")
