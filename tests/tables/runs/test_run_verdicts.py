"""What bots and programs do wrong in runs, whose fault it is, and what is kept of their games."""

import sys
import time
from importlib.metadata import EntryPoint

import pytest

from engine import bots, records
from engine.bots.plugins import GROUP, Plugged
from engine.rules import ruleset
from engine.rules.actions import SeatAction
from tables.models import Run, Unit
from tables.programs import apart
from tables.programs.process import Limits
from tables.programs.program import Program
from tables.runs import run_records, runs, verdicts
from tests.engine.sim.test_faults import Steady
from tests.tables.runs.test_programs import SOUND, loop
from tests.tables.runs.test_runs import play_all, states

pytestmark = pytest.mark.django_db

FIELD = ["odd", "lowest", "greedy", "random"]


class Odd(Steady):
    version = 3

    def wrong(self, observation, legal):
        return SeatAction(observation.seat, "lock", (0,))


@pytest.fixture
def enter(monkeypatch):
    def offer(made):
        monkeypatch.setitem(bots.BOTS, "odd", made)
        return made

    return offer


@pytest.fixture
def program(enter, tmp_path):
    """Enters a Python program as the bot `odd`."""

    def offer(body: str = SOUND, *, memory: bool = False) -> Program:
        (tmp_path / "odd.py").write_text(loop(body))
        tmp_path.chmod(0o755)  # Where the worker is root, programs are nobody.
        command = (sys.executable, "-S", "-E", "odd.py")
        return enter(Program("odd", command, tmp_path, 1, Limits(seconds=120.0), memory))

    return offer


def start(deals=4, per_unit=2, field=FIELD, **more) -> Run:
    return runs.start_run(
        **{"ruleset": ruleset.preset("tien-len"), "bots": field, "deals": deals}
        | {"seed": "v", "deals_per_unit": per_unit}
        | more
    )


def test_an_illegal_play_is_a_verdict_and_the_run_goes_on(enter):
    enter(Odd)
    run = play_all(start())
    total = verdicts.totals(run)
    assert (run.status, states(run), runs.progress(run).dead) == ("done", ["done"] * 2, 0)
    assert total.faults == {(0, "illegal"): 16}
    assert [unit.faults for unit in runs.faulty(run)] == [8, 8]
    assert run.units.filter(replay="same").count() == 1


@pytest.mark.parametrize("text", ["\0", "\ud83d", "3S\0\udfff"])
def test_a_choice_that_no_database_stores_is_a_verdict_too(enter, text):
    class Unprintable(Odd):
        def wrong(self, observation, legal):
            return text

    enter(Unprintable)
    run = play_all(start())
    assert (states(run), verdicts.totals(run).faults) == (["done"] * 2, {(0, "illegal"): 16})


def test_the_run_says_who_plays_on(enter):
    enter(Odd)
    first, other = (play_all(start(substitute=name)) for name in ("lowest", "random"))
    sound = play_all(start(field=["lowest", *FIELD[1:]]))
    scores = [verdicts.totals(run).moments["scores"].sums for run in (first, other, sound)]
    assert [score[0] > 0 for score in scores] == [False, False, True]
    assert scores[0] != scores[1]


def test_a_run_from_before_forfeits_goes_on_as_it_began(enter):
    enter(Odd)
    run = start()
    Run.objects.filter(pk=run.pk).update(forfeits=False)
    older, sound = play_all(run), play_all(start(field=["lowest", *FIELD[1:]]))
    sums = [verdicts.totals(run).moments["scores"].sums for run in (older, sound)]
    assert sums[0] == sums[1]


def test_only_the_ladder_plays_on_for_others(enter):
    enter(Odd)
    with pytest.raises(ValueError, match="bot of the ladder"):
        start(substitute="odd")


def test_our_own_fault_is_tried_again_and_never_a_result(monkeypatch):
    field = ["greedy", *FIELD[1:]]
    run, real, failed = start(deals=2, field=field), runs.simulation.play_block, []

    def unlucky(*args, **more):
        if len(failed) < 2:
            failed.append(1)
            raise MemoryError("none left")
        return real(*args, **more)

    monkeypatch.setattr(runs.simulation, "play_block", unlucky)
    run = play_all(run)
    unit = run.units.get()
    assert (unit.state, unit.failures, unit.attempts) == ("done", 2, 3)


def test_a_program_that_cannot_start_leaves_dead_units_with_their_trace(enter, tmp_path):
    enter(Program("odd", ("./nothing",), tmp_path, 1))
    run = play_all(start())
    assert (run.status, states(run)) == ("done", ["dead"] * 2)
    assert set(run.units.values_list("failures", flat=True)) == {3}
    assert "./nothing cannot be started" in run.units.first().trace
    assert "Traceback" in run.units.first().trace


def test_a_bot_that_cannot_be_loaded_is_refused_at_the_start(enter):
    enter(Plugged(EntryPoint("odd", "nothing_here:Bot", GROUP)))
    with pytest.raises(ValueError, match="odd cannot be loaded"):
        start()


def test_a_run_with_a_program_is_not_replayed_and_has_no_conflicts(program):
    program()
    run = play_all(start())
    assert run.outside
    assert set(run.units.values_list("replay", flat=True)) == {"never"}
    unit = run.units.first()
    runs.submit(unit_id=unit.pk, tally={}, games=1, digest="f" * 64)
    assert runs.progress(run).conflicts == 0
    assert run.units.first().digest == unit.digest


def test_the_games_of_programs_are_kept_and_open_without_them(program, monkeypatch):
    program("assert message['hand']\n" + SOUND)
    run = play_all(start())
    monkeypatch.delitem(bots.BOTS, "odd")
    for deal in range(4):
        for rotation in range(4):
            record = runs.game(run, deal=deal, rotation=rotation)
            assert records.replay(record)["finished"]
            assert sorted(record["players"]) == sorted(FIELD)
    assert run_records.changed_bots(run) == ["odd"]
    scores = [0] * 4
    for record in run_records.RunGames(run, [3]).of_deal(3):
        left = 4
        for group in records.replay(record)["placings"]:
            left -= len(group)
            for seat in group:
                scores[FIELD.index(record["players"][seat])] += 2 * left + len(group) - 1
    assert run.units.last().tally["deal_scores"][1] == scores


def test_games_of_bots_that_changed_are_refused(enter):
    enter(Odd)
    run = play_all(start())
    assert runs.game(run, deal=0, rotation=0)["players"]
    enter(type("Odd4", (Odd,), {"version": 4}))
    with pytest.raises(run_records.OtherVersion, match="odd is version 4 here and the run is of 3"):
        runs.game(run, deal=0, rotation=0)
    del bots.BOTS["odd"]
    with pytest.raises(run_records.OtherVersion, match="odd is not here"):
        runs.game(run, deal=0, rotation=0)
    bots.BOTS["odd"] = Odd  # What the fixture takes back.


def test_a_batch_whose_bot_changed_before_its_replay_is_not_called_different(enter):
    enter(Odd)
    run = start()
    while runs.play_next(run.pk, run.queue):
        pass
    enter(type("Odd4", (Odd,), {"version": 4}))
    assert runs.replay_next(run.pk) is True
    assert runs.replay_next(run.pk) is False
    assert set(run.units.values_list("replay", "trace")) == {("no", ""), ("never", "")}


def test_a_game_with_a_verdict_opens_as_it_was_played(enter):
    enter(Odd)
    run = play_all(start(deals=2))
    tally = run.units.get().tally
    for rotation in range(4):
        assert records.replay(runs.game(run, deal=1, rotation=rotation))["finished"]
    assert len(tally["notes"]) == 5
    assert tally["notes"][0][:4] == [0, "illegal", 0, 0]


def test_a_bot_that_remembers_never_meets_a_deal_twice(program):
    program(memory=True)
    with pytest.raises(ValueError, match="no deal may come twice"):
        start()
    run = play_all(start(design="single", deals=3, per_unit=3))
    assert (run.status, runs.progress(run).games, verdicts.totals(run).faults) == ("done", 3, {})


def test_a_lease_lives_while_bots_are_asked(enter, monkeypatch):
    """One deal may take a bot longer than a lease: each answer is a sign of life."""

    class Slow(Odd):
        def choose(self, observation, legal):
            time.sleep(0.02)
            return super().choose(observation, legal)

    enter(Slow)
    renewed, real = [], runs.play_apart
    monkeypatch.setattr(apart, "_POLL", 0.01)
    monkeypatch.setattr(
        runs,
        "play_apart",
        lambda bots, play, alive: real(bots, play, lambda: renewed.append(1) or alive()),
    )
    play_all(start(deals=1))
    assert len(renewed) > 10


def test_units_with_programs_are_shorter(program):
    program()
    assert start(per_unit=None).deals_per_unit == 2


def test_sums_are_the_same_whether_kept_or_added_anew(enter):
    enter(Odd)
    run = start(deals=8)
    for index in (0, 2, 1, 3):
        unit = run.units.get(index=index)
        block = runs.play(unit)
        runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest)
        kept = verdicts.totals(run)
        verdicts.cache.clear()
        assert kept == verdicts.totals(run)
    assert kept.until == 4


def test_totals_of_units_from_before_effects_were_counted(enter):
    run = play_all(start(field=["greedy", *FIELD[1:]]))
    unit = run.units.first()
    Unit.objects.filter(pk=unit.pk).update(
        moments={key: unit.moments[key] for key in ("scores", "money")}
    )
    total = verdicts.totals(run)
    assert total.moments["scores"].deals == 4
    assert total.moments["positions"].deals == 2
