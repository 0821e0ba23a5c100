"""Worlds that tests of many rooms begin with."""

import threading

import pytest
from django.db import close_old_connections, connection

from league.arena.acts import bots
from league.models import Club, Event, Schedule, Season, Sitting
from league.schedules.acts import schedules
from tables.bots.acts import checks
from tables.models import Run
from tables.runs import runs
from tests.factories import make_club, make_night, make_season, make_table
from tests.worlds import made_once


@made_once
def club() -> Club:
    return make_club()


@made_once
def season() -> Season:
    """An open season without nights."""
    return make_season()


@made_once
def night() -> Event:
    """A night with four people here and no draw."""
    return make_night()


@made_once
def sitting() -> Sitting:
    """A table of four without games."""
    return make_table()


@pytest.fixture
def workers():
    """What the server's workers do beside it: schedules, checks and games of bots."""
    over = threading.Event()

    def work():
        while not over.wait(0.05):
            for due in Schedule.objects.exclude(next_at=None).filter(occurrences=None):
                schedules.tick(due.next_at)
            checks.check_next()
            for run in Run.objects.filter(finished_at=None):
                while runs.play_next(run.pk):
                    runs.finish_if_done(run_id=run.pk)
            bots.sweep()
            close_old_connections()
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()
