"""The wall's screens follow each other, and long lists are split."""

from __future__ import annotations

import uuid

import pytest

from league.nights.selectors.wall import wall_now, wall_page
from league.nights.services import clock
from tests import factories
from tests.factories import make_night, make_round, make_table, make_user, names_at, play

pytestmark = pytest.mark.django_db


def tour(event):
    """Each screen once, as (kind, how much it lists)."""
    seen, number = [], 0
    while True:
        found = wall_page(event, number)
        seen.append((found["screen"].kind, len(found["screen"].items)))
        number = found["following"]
        if number == 0:
            return seen


def test_before_the_first_draw_there_is_one_screen():
    assert tour(make_night(0)) == [("nothing", 0)]


def test_a_round_shows_tables_and_names_and_then_standings_when_something_is_played():
    sitting = make_table(make_night(8))
    event = sitting.round.event
    assert tour(event) == [("tables", 2), ("names", 8)]
    play(sitting, names_at(sitting))
    assert tour(event) == [("tables", 2), ("names", 8), ("standings", 4)]


def test_the_clock_has_a_screen_while_it_runs():
    sitting = make_table()
    clock.start(round_=sitting.round, minutes=40, by=make_user())
    clock.call_director(sitting=sitting, by=None)
    assert tour(sitting.round.event) == [("tables", 1), ("names", 4), ("clock", 0)]
    assert [table.table_no for table in wall_now(sitting.round.event)["calls"]] == [1]


def test_who_sits_out_is_listed_without_a_table():
    event = make_night(6, season=factories.make_season(rules="family"))
    make_round(event)
    names = wall_page(event, 1)["screen"].items
    assert [table for _name, table in names].count(None) == 2


def test_lists_longer_than_a_screen_are_split_evenly(monkeypatch):
    monkeypatch.setattr(factories, "NAMES", [f"Player {n:03}" for n in range(100)])
    event = make_night(100)
    for sitting in make_round(event).sittings.all():
        keys = [place.entrant_id for place in sitting.places.all()]
        play(sitting, [], groups=[[key] for key in keys], client_id=uuid.uuid4())
    assert tour(event) == [
        *[("tables", size) for size in (6, 6, 6, 7)], ("names", 33), ("names", 33), ("names", 34),
        *[("standings", size) for size in (11, 11, 11, 11, 11, 11, 11, 11, 12)],
    ]  # fmt: skip
    parts = [wall_page(event, n)["screen"] for n in range(4)]
    assert [(screen.part, screen.parts) for screen in parts] == [(1, 4), (2, 4), (3, 4), (4, 4)]
