"""A class that ends the process it is asked in: named, last, and nobody else notices."""

import os
import time

import pytest

from engine import bots
from tables.models import Unit
from tables.programs import apart
from tables.runs import run_ratings, runs, verdicts
from tests.engine.sim.test_faults import Steady
from tests.tables.runs.test_bot_command import bot
from tests.tables.runs.test_run_verdicts import FIELD, start
from tests.tables.runs.test_runs import play_all

pytestmark = pytest.mark.django_db


class Ends(Steady):
    def wrong(self, observation, legal):
        raise SystemExit(3)


class Holds(Steady):
    """Forks something that keeps the pipe to the worker open."""

    def wrong(self, observation, legal):
        if not os.fork():
            time.sleep(600)
        os._exit(7)


def test_whoever_ends_the_process_is_named_and_last(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Holds)
    began = time.monotonic()
    run = play_all(start(deals=2, per_unit=1))
    assert time.monotonic() - began < 60
    total = verdicts.totals(run)
    assert (run.status, runs.progress(run).dead, total.faults) == ("done", 0, {(0, "crashed"): 8})
    assert total.moments["scores"].sums[0] == 0
    notes = [note for unit in runs.faulty(run) for note in unit.tally["notes"]]
    assert "It ended its process with status 7." in notes[0][4]
    assert run.units.filter(replay="same").count() == 1
    assert runs.game(run, deal=1, rotation=3)["players"]


def test_the_command_goes_on_and_says_who_it_was(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Holds)
    told = bot("simulate", "--bots", ",".join(FIELD), "--games", "8", "--seed", "x")
    assert "refused" not in told


def test_a_process_lost_while_nobody_was_asked_is_no_bots_fault(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Ends)
    with pytest.raises(apart.OurFault, match="between two questions"):
        apart.play_apart(["odd"], lambda guard, alive: os._exit(9))


def test_what_fails_in_the_child_fails_here_with_its_trace(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Ends)
    with pytest.raises(MemoryError, match="none left") as caught:
        apart.play_apart(["odd"], _unlucky)
    assert "_unlucky" in caught.value.__notes__[0]


def _unlucky(guard, alive):
    raise MemoryError("none left")


def test_a_worker_that_never_comes_back_leaves_the_names_of_those_who_played(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Ends)
    run = start(deals=1)
    runs.lease(run.pk)
    Unit.objects.update(lease_until=run.created_at)
    runs.sweep()
    assert run.units.get().trace.endswith("Bots of this installation played: odd.")


def test_versions_that_fail_too_often_are_not_rated(monkeypatch):
    monkeypatch.setitem(bots.BOTS, "odd", Steady)
    assert run_ratings.unrated([play_all(start(deals=3))]) == []
    monkeypatch.setitem(bots.BOTS, "odd", Ends)
    failing, forgiven = play_all(start(deals=3)), play_all(start(deals=3, most_faults=1.0))
    assert run_ratings.unrated([failing]) == [("odd", 1, 12, 1.0)]
    ratings = run_ratings.rate_run(failing)
    assert ratings[0] is None
    assert sum(one["rating"] for one in ratings[1:]) == pytest.approx(0, abs=0.2)
    assert None not in run_ratings.rate_run(forgiven)
    [pool] = run_ratings.rate_pools([failing])
    assert sorted(one.name for one in pool) == ["greedy", "lowest", "random"]
    assert [one.games for one in run_ratings.unrated([failing, forgiven])] == [24]
