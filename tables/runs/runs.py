"""Runs of bots: units are leased in the database, played once, and checked by digest.

The lease is authoritative and a message only a hint: a lost, repeated or late message changes
nothing. Equal runs give equal digests, however their units were played.
"""

import datetime
import hashlib
import json
import secrets
import time
import traceback
import zlib
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Exists, F, Max, Min, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from engine import bots as engine_bots
from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from engine.sim import designs, simulation
from engine.sim.faults import Conditions, GameLog
from tables.base import holds, rulesets
from tables.base.columns import set_columns
from tables.bots.facts import member_bots
from tables.models import KeptGames, RemoteGame, Run, Unit
from tables.programs.apart import Alive, Guard, play_apart
from tables.programs.remote import is_remote
from tables.runs import remote, verdicts
from tables.runs.goes import GamesSoFar, Go, TimeIsUp
from tables.runs.run_records import OtherVersion, changed_bots, check_versions, game
from tables.signals import run_finished, run_started

__all__ = ["game"]  # Listed with the run's other functions for callers that open one game.

T = TypeVar("T")
LEASE = datetime.timedelta(seconds=settings.TABLES_LEASE_SECONDS)
MOST_FAILURES = 3
MOST_ATTEMPTS = 10
MOST_TRACE = 4000
BY_REFLEX, BY_PLAN, BY_THOUGHT, OUTSIDE = (200, 2000), (40, 400), (40, 40), (8, 8)
REMOTE = (40, 40)
"""Fewest and most games of a unit, by its slowest bot, so that a unit takes a second or a few.

A quick bot plays thousands of games in a unit, a thinking one needs up to half a second per
game, and a program that starts anew for each game longer. Taking and storing a unit costs as much
as dozens of quick bots' games.
"""
UNITS = 50
"""Number of units up to which a run's units have the fewest games."""
REPLAYED = 100
"""One of this many units is replayed and compared, and at least one of each run."""
PATIENCE = datetime.timedelta(minutes=5)
"""How long a machine leaves replays of its own units to others."""
STEPS = {Run.Priority.LOW: 16, Run.Priority.NORMAL: 4, Run.Priority.HIGH: 1}
"""Advance of a run's turn per millisecond: the priorities share workers as 1 to 4 to 16."""
TAKEN = 100
"""Milliseconds booked when a unit is taken, so that the next worker takes another run's."""
SLOW_GAME = 2.0
"""Seconds a game from which a run is slow: all slow runs together hold one worker."""

ANEW: dict[str, Any] = {
    "attempts": 0, "failures": 0, "digest": "", "conflict_digest": "", "machine": "",
    "conflict_machine": "", "games": 0, "faults": 0, "tally": None, "moments": None,
    "done_at": None, "trace": "", "begun": None,
}  # fmt: skip
"""Fields of a unit without any result."""

LOST = "The lease ran out: its worker was stopped or took too long."
LEFT = Q(state__in=[Unit.State.WAITING, Unit.State.LEASED, Unit.State.ASKING])
OPEN = (Run.Status.RUNNING, Run.Status.PAUSED)


@dataclass(frozen=True)
class RunProgress:
    """A run's games played and asked for, and its dead, conflicting and replayed units."""

    games: int
    games_asked: int
    dead: int
    conflicts: int
    replayed: int = 0


@dataclass(frozen=True)
class Estimated:
    """A run's games and units, and seconds by the last equal run; `None` if unknown."""

    games: int
    units: int
    seconds: float | None


@dataclass(frozen=True)
class Pace:
    """Games per second over the last minute, and seconds left at that rate; `None` if unknown."""

    rate: float
    seconds_left: float | None


@transaction.atomic
def start_run(
    *,
    ruleset: Ruleset,
    bots: Sequence[str],
    deals: int,
    stake: int = 1,
    seed: str | None = None,
    deals_per_unit: int | None = None,
    design: str = "rotations",
    effect: float | None = None,
    priority: int = Run.Priority.NORMAL,
    substitute: str = "lowest",
    most_faults: float = 0.01,
    queue: str = Run.Queue.TOURNAMENT,
    owner: Any = None,
) -> Run:
    """Create a run with all its units waiting; they go to workers after commit.

    `effect` lets the sequential test end a run between two bots as soon as it is clear whether the
    first beats that much more of its opponents than the second. `substitute` is the ladder bot that
    plays on for a bot at fault; a version at fault in more than the share `most_faults` of its
    games is not rated. Raises `ValueError` for bots that the ruleset does not seat in this design,
    that cannot be loaded, or that remember deals and would meet them again.
    """
    check(ruleset, bots, design, substitute)
    named = [{"name": name, "version": engine_bots.version_of(name)} for name in bots]
    remote_since = timezone.now() if any(map(is_remote, bots)) else None
    run = Run.objects.create(
        ruleset=rulesets.freeze(ruleset),
        bots=named,
        design=design,
        seed=seed or secrets.token_hex(16),
        deals=deals,
        deals_per_unit=deals_per_unit or deals_for_unit(bots, design, deals),
        stake=stake,
        substitute=substitute,
        most_faults=most_faults,
        outside=any(engine_bots.is_outside(bot) for bot in bots),
        remote_since=remote_since,
        remote_swept_at=remote_since,
        effect=effect,
        priority=priority,
        turn=_first_turn(queue, owner),
        queue=queue,
        owner=owner,
    )
    _add_units(run, first_deal=0, index=0)
    transaction.on_commit(lambda: run_started.send(sender=Run, run_id=run.pk))
    return run


def check(ruleset: Ruleset, bots: Sequence[str], design: str, substitute: str = "lowest") -> None:
    """Raise `ValueError` with a readable message if these bots cannot play such a run."""
    simulation.check(ruleset, bots, design)
    if substitute not in engine_bots.LADDER:
        raise ValueError("Only a bot of the ladder plays on for others.")
    # Two versions of a bot alone at a table are compared, and rate nobody else.
    seats = 2 if design == "versus" else designs.table_size(len(bots), design)
    if twice := member_bots.meets_itself(bots, seats):
        raise ValueError(f"The author of {twice} has another bot at this table.")
    for bot in bots:
        if engine_bots.remembers(bot) and design != "single":
            raise ValueError(
                f"{bot} remembers what it saw, and no deal may come twice: play each deal once."
            )
        try:
            engine_bots.version_of(bot)
        except engine_bots.PluggedError as error:
            raise ValueError(f"{bot} cannot be loaded: {error}") from error


def estimate(*, ruleset: Ruleset, bots: Sequence[str], deals: int, design: str) -> Estimated:
    """Return the estimated size and duration of a run."""
    games = deals * designs.games_of_deal(len(bots), design)
    units = -(-deals // deals_for_unit(bots, design, deals))
    alike = Run.objects.filter(
        ruleset=engine_ruleset.digest(ruleset), design=design, finished_at__isnull=False,
        bots=[{"name": name, "version": engine_bots.version_of(name)} for name in bots],
    )  # fmt: skip
    for run in alike.order_by("-created_at")[:1]:
        played = progress(run).games
        assert run.finished_at is not None
        if played:
            took = (run.finished_at - run.created_at).total_seconds()
            return Estimated(games, units, took * games / played)
    return Estimated(games, units, None)


def play_next(run_id: Any = None, queue: str | None = None) -> bool:
    """Play the next unit of this run, or of the queue's run in turn; return False if none waits.

    The unit is leased in one transaction and its result stored in another, so that nothing is
    locked while bots think. A unit that takes longer than one go waits for the next with its
    finished games. Without a queue a finished unit may be replayed if no unit waits.
    """
    unit = lease(run_id, queue)
    if unit is None:
        return queue is None and replay_next(run_id)
    began = time.monotonic()
    try:
        return _play_leased(unit)
    finally:
        _charge(unit, time.monotonic() - began)


def _play_leased(unit: Unit) -> bool:
    try:
        logs = remote.visit(unit, _renewing(unit)) if unit.run.remote_since else _no_log
        if logs is None:
            return True
        block = play(unit, logs) if unit.run.remote_since else play_on(unit)
    except Exception:  # Bots' faults are results; this is ours and must not stop the run.
        _give_back(unit, trace=traceback.format_exc()[-MOST_TRACE:].replace("\0", "�"))
        return True
    played = len(unit.begun or ())
    if not isinstance(block, simulation.Block):
        unit.games = len(block) - played
        store_begun(unit, block)
        return True
    unit.games = block.games - played
    submit(
        unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest,
        records=block.records,
    )  # fmt: skip
    return True


def _charge(unit: Unit, seconds: float) -> None:
    """Book the time of a go on the run, and on the turns of all runs of its owner."""
    run, milliseconds = unit.run, round(1000 * seconds)
    of_owner = Q(owner=run.owner_id, queue=run.queue) if run.owner_id else Q(pk=run.pk)
    cost = max(0, milliseconds - TAKEN) * STEPS[Run.Priority(run.priority)]
    with suppress(DatabaseError), transaction.atomic():
        moved = Run.objects.filter(of_owner, status__in=OPEN).order_by("pk")
        list(moved.select_for_update(no_key=True).values_list("pk"))  # In order: no deadlock.
        moved.update(turn=F("turn") + cost)
        Run.objects.filter(pk=run.pk).update(
            spent=F("spent") + milliseconds,
            counted=F("counted") + unit.games,
            is_slow=seconds / max(unit.games, 1) > SLOW_GAME,
        )


def _no_log(_deal: int, _game: int) -> None:
    """Return no log for any game."""


def play(unit: Unit, logs: Callable[[int, int], GameLog | None] = _no_log) -> simulation.Block:
    """Play all of a unit's games, alike on every machine, and keep renewing its lease.

    `logs` returns the decisions already made in games of remote bots. Raises `ValueError` if a bot
    has another version than the run froze.
    """
    return _played(unit, lambda guard, alive: _block(unit, guard, alive, logs))


def play_on(unit: Unit) -> simulation.Block | GamesSoFar:
    """Play the unit's remaining games; return those finished so far if the go's time runs out."""

    def go_on(guard: Guard, alive: Alive) -> simulation.Block | GamesSoFar:
        go = Go(unit.begun or (), settings.TABLES_PLAY_SECONDS, alive)
        try:
            return _block(unit, guard, alive, go.log)
        except TimeIsUp:
            return go.games()

    return _played(unit, go_on)


def _played(unit: Unit, play: Callable[[Guard, Alive], T]) -> T:
    check_versions(unit.run)
    return play_apart([bot["name"] for bot in unit.run.bots], play, _renewing(unit))


def _block(
    unit: Unit, guard: Guard, alive: Alive, logs: Callable[[int, int], GameLog | None]
) -> simulation.Block:
    run = unit.run

    def clock() -> float:
        alive()  # House bots have no guard: their decisions are signs of life.
        return time.perf_counter()

    names = [bot["name"] for bot in run.bots]
    dealt = (rulesets.thaw(run.ruleset), names, run.seed, unit.first_deal, unit.deals)
    block = simulation.play_block(
        *dealt,
        design=run.design,
        after_deal=alive,
        conditions=Conditions(
            substitute=run.substitute,
            forfeits=run.forfeits,
            clock=clock,
            guard=guard,
            keep=run.outside,
            logs=logs,
        ),
    )
    if run.design == "single":
        block.tally["imagined"] = simulation.imagined(*dealt, after_deal=alive)
    return block


@transaction.atomic
def store_begun(unit: Unit, games: GamesSoFar) -> None:
    """Store a unit's finished games and return it to the queue for the next go.

    If its lease ran out, another worker has the unit; the games may still help the next go.
    """
    locked = Unit.objects.select_for_update().get(pk=unit.pk)
    fresh = ["begun"] if len(games) > len(locked.begun or ()) else []
    locked.begun = games
    if locked.state == Unit.State.LEASED and locked.attempts == unit.attempts:
        locked.state, locked.lease_until = Unit.State.WAITING, None
        locked.attempts = locked.failures = 0
        fresh += ["state", "lease_until", "attempts", "failures"]
    if locked.state in (Unit.State.WAITING, Unit.State.LEASED):
        locked.save(update_fields=fresh)


def _renewing(unit: Unit) -> Callable[[], None]:
    """Return a callback that renews the unit's lease; it is called while bots play."""
    leased = Unit.objects.filter(pk=unit.pk, state=Unit.State.LEASED)
    return holds.extending(leased, "lease_until", LEASE)


@transaction.atomic
def submit(
    *, unit_id: int, tally: Any, games: int, digest: str, records: Sequence[Any] = ()
) -> Unit:
    """Store a unit's result once; repeating it changes nothing, another digest is a conflict.

    If an external program played, another digest is no conflict and the first result counts.
    Results of units that were skipped when the run ended are dropped.
    """
    unit = Unit.objects.select_related("run").select_for_update(of=("self",)).get(pk=unit_id)
    if unit.state == Unit.State.SKIPPED:
        return unit
    if unit.state == Unit.State.DONE:
        if digest != unit.digest and not unit.run.outside:
            _note_conflict(unit, digest)
        return unit
    set_columns(
        unit,
        state=Unit.State.DONE,
        digest=digest,
        games=games,
        machine=settings.TABLES_MACHINE,
        moments=verdicts.moments_of(tally, len(unit.run.bots)),
        faults=verdicts.faults_of(tally),
        tally={what: tally[what] for what in tally if what not in verdicts.SUMMED},
        lease_until=None,
        done_at=timezone.now(),
        begun=None,
    )
    if unit.run.outside:
        lines = "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in records)
        KeptGames.objects.create(unit=unit, body=zlib.compress(lines.encode()))
        unit.remote_games.all().delete()
    transaction.on_commit(partial(finish_if_done, run_id=unit.run_id))
    return unit


def finish_if_done(*, run_id: Any) -> bool:
    """End the run if no unit is left or its test has a verdict; return True if this call ended it.

    A machine that only plays leaves this to the server's sweep.
    """
    if settings.TABLES_PLAYS_ONLY:
        return False
    left = Unit.objects.filter(LEFT, run=OuterRef("pk"))
    # Runs after every unit: the check avoids locking the run while units are left.
    if Run.objects.filter(Exists(left), pk=run_id, effect=None).exists():
        return False
    return _finish(run_id)


@transaction.atomic
def _finish(run_id: Any) -> bool:
    run = Run.objects.select_for_update().get(pk=run_id)
    if run.status not in OPEN:
        return False
    run.verdict = verdicts.decide(run)
    if run.verdict is not None:
        run.units.filter(index__gt=run.verdict["unit"]).update(
            state=Unit.State.SKIPPED, lease_until=None
        )
    elif run.units.filter(LEFT).exists():
        return False
    _end(run, Run.Status.DONE)
    return True


@transaction.atomic
def cancel_run(*, run_id: Any) -> Run:
    """Cancel the run; its results so far stay."""
    run = Run.objects.select_for_update().get(pk=run_id)
    if run.status in OPEN:
        remote.lock_units(run)
        run.units.filter(LEFT).update(state=Unit.State.SKIPPED, lease_until=None)
        _end(run, Run.Status.CANCELLED)
    return run


@transaction.atomic
def pause_run(*, run_id: Any) -> Run:
    """Pause the run; units already at workers are finished."""
    run = Run.objects.select_for_update().get(pk=run_id)
    if run.status == Run.Status.RUNNING:
        set_columns(run, status=Run.Status.PAUSED)
    return run


@transaction.atomic
def resume_run(*, run_id: Any) -> Run:
    """Resume a paused run; it takes its turn like a new run."""
    run = Run.objects.select_for_update().get(pk=run_id)
    if run.status == Run.Status.PAUSED:
        _wake(run)
    return run


@transaction.atomic
def extend_run(*, run_id: Any, deals: int) -> Run:
    """Append deals to a run, even to a finished one.

    Raises `ValueError` for a run that may not go on: a cancelled one, one that its test has ended,
    and a finished one with remote bots.
    """
    run = Run.objects.select_for_update().get(pk=run_id)
    if not run.may_go_on or deals < 1:
        raise ValueError("This run cannot be extended.")
    first_deal, run.deals = run.deals, run.deals + deals
    run.digest, run.finished_at, run.ratings = "", None, None
    run.extended = True
    _add_units(run, first_deal=first_deal, index=run.units.count())
    _go_on(run)
    return run


@transaction.atomic
def retry_dead(*, run_id: Any) -> int:
    """Retry the run's dead units; return the number of retried units.

    Units in conflict are played and compared again as well.
    """
    run = Run.objects.select_for_update().get(pk=run_id)
    if not run.may_go_on:
        return 0
    dead = run.units.filter(state=Unit.State.DEAD)
    count = dead.update(state=Unit.State.WAITING, attempts=0, failures=0, begun=None)
    conflicts = run.units.filter(state=Unit.State.DONE).exclude(conflict_digest="")
    redone = conflicts.update(**ANEW, state=Unit.State.WAITING, replay=Unit.Replay.WANTED)
    run.redone += bool(redone)
    count += redone
    if count:
        run.digest, run.finished_at, run.ratings = "", None, None
        _go_on(run)
    return count


@transaction.atomic
def give_up_units(*, run_id: Any, units: Collection[int]) -> bool:
    """Discard the results of finished or dead units and play them again; False if not possible.

    They are not played again in a cancelled run, if remote bots would be asked again, and if a bot
    is gone or has another version.
    """
    run = Run.objects.select_for_update().get(pk=run_id)
    chosen = run.units.filter(pk__in=units, state__in=[Unit.State.DONE, Unit.State.DEAD])
    can_play = run.status != Run.Status.CANCELLED and not run.remote_since
    can_play = can_play and not changed_bots(run)
    KeptGames.objects.filter(unit__in=chosen).delete()
    replay = {} if run.outside else {"replay": Unit.Replay.WANTED}
    kept_out = list(chosen.values_list("pk", flat=True))
    if run.verdict is not None:  # The test needs the units after its verdict again.
        run.units.filter(state=Unit.State.SKIPPED).update(state=Unit.State.WAITING)
        run.verdict = None
    state = Unit.State.WAITING if can_play else Unit.State.SKIPPED
    run.units.filter(pk__in=kept_out).update(**ANEW, **replay, state=state)
    run.redone += 1
    run.ratings = None
    if run.status == Run.Status.CANCELLED:
        run.save()
        return False
    run.digest, run.finished_at = "", None
    _go_on(run)
    transaction.on_commit(lambda: finish_if_done(run_id=run_id))
    return can_play


def sweep() -> bool:
    """Reclaim expired leases and end finished runs; return True if units wait for workers.

    A unit is dead after its last failed try, or after too many lost workers. The run goes on
    without it and reports it.
    """
    with transaction.atomic():
        now = timezone.now()
        # A lease too far ahead dates from before the machine's clock went back.
        over = Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
        leased = Unit.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            state=Unit.State.LEASED
        )
        for unit in leased.filter(over).select_related("run"):
            _back(unit, trace=LOST + _own_bots(unit.run))
    remote.wake_units()
    left = Unit.objects.filter(LEFT, run=OuterRef("pk"))
    # Among runs with units left, a test may have a verdict.
    may_end = Run.objects.filter(~Exists(left) | Q(effect__isnull=False), status__in=OPEN)
    for run_id in list(may_end.values_list("pk", flat=True)):
        finish_if_done(run_id=run_id)
    return _in_turn(None).exists() or _wanted().exists()


def progress(run: Run) -> RunProgress:
    return RunProgress(
        games=run.units.filter(state=Unit.State.DONE).aggregate(games=Sum("games"))["games"] or 0,
        games_asked=run.deals * designs.games_of_deal(len(run.bots), run.design),
        dead=run.units.filter(state=Unit.State.DEAD).count(),
        conflicts=run.units.exclude(conflict_digest="").count(),
        replayed=run.units.filter(replay=Unit.Replay.SAME).count(),
    )


def pace(run: Run, *, left: int) -> Pace:
    """Return the run's pace over the last minute, for `left` remaining games."""
    now = timezone.now()
    begin = max(run.created_at, now - datetime.timedelta(seconds=60))
    recent = run.units.filter(state=Unit.State.DONE, done_at__gte=begin)
    games = recent.aggregate(games=Sum("games"))["games"] or 0
    seconds = max((now - begin).total_seconds(), 1.0)
    return Pace(games / seconds, left * seconds / games if games else None)


def digest_of(run: Run) -> str:
    """Return the digest over the finished units in order: equal runs have equal digests."""
    digest = hashlib.sha256()
    done = run.units.filter(state=Unit.State.DONE).order_by("index")
    for index, unit_digest in done.values_list("index", "digest"):
        digest.update(f"{index}:{unit_digest}\n".encode())
    return digest.hexdigest()


def troubles(run: Run) -> QuerySet[Unit]:
    """Return the units that are dead or have two different results."""
    return run.units.filter(Q(state=Unit.State.DEAD) | ~Q(conflict_digest="")).order_by("index")


def faulty(run: Run) -> QuerySet[Unit]:
    """Return the units with faults of bots.

    Their tallies hold the first notes of each fault.
    """
    return run.units.filter(faults__gt=0).order_by("index")


def lease(run_id: Any = None, queue: str | None = None) -> Unit | None:
    """Lease the next unit; no two workers play for slow runs, so that no other run waits."""
    waiting = _in_turn(run_id, queue)
    if Unit.objects.filter(state=Unit.State.LEASED, run__is_slow=True).exists():
        waiting = waiting.filter(is_slow=False)
    return next(filter(None, map(lease_of, waiting)), None)


@transaction.atomic
def lease_of(run: Run) -> Unit | None:
    """Lease the run's next unit; the run's turn advances only if there is one.

    The run's row is locked first, as in every change of a run and its units.
    """
    running = Run.objects.filter(pk=run.pk, status=Run.Status.RUNNING)
    step = STEPS[Run.Priority(run.priority)]
    moved = running.update(turn=F("turn") + step * TAKEN)
    waiting = run.units.filter(state=Unit.State.WAITING).order_by("index")
    if run.remote_since and run.units.filter(state="asking").count() >= remote.MOST_AT_REST:
        waiting = waiting.filter(Exists(RemoteGame.objects.filter(unit=OuterRef("pk"))))
    unit = waiting.select_for_update(skip_locked=True).first() if moved else None
    if unit is None:
        transaction.set_rollback(True)
        return None
    unit.run = run
    set_columns(
        unit,
        state=Unit.State.LEASED,
        lease_until=timezone.now() + LEASE,
        attempts=unit.attempts + 1,
    )
    return unit


def _in_turn(run_id: Any, queue: str | None = None) -> QuerySet[Run]:
    """Return the running runs with waiting units, in the order of their turns."""
    waiting = Unit.objects.filter(run=OuterRef("pk"), state=Unit.State.WAITING)
    running = Run.objects.filter(Exists(waiting), status=Run.Status.RUNNING)
    if run_id:
        running = running.filter(pk=run_id)
    if queue is not None:
        running = running.filter(queue=queue)
    return running.select_related("ruleset").order_by("turn", "created_at")


def _first_turn(queue: str, owner: Any) -> int:
    """Return the turn of a new run: that of its owner's others, else the lowest one running."""
    running = Run.objects.filter(status=Run.Status.RUNNING, queue=queue)
    turns = running.aggregate(low=Min("turn"), own=Max("turn", filter=Q(owner=owner)))
    return (turns["own"] if owner else None) or turns["low"] or 0


def _own_bots(run: Run) -> str:
    """Name this server's own bots: no other bot can have ended its worker."""
    named = dict.fromkeys(bot["name"] for bot in run.bots)
    own = [name for name in named if name not in engine_bots.LADDER]
    return f" Bots of this installation played: {', '.join(own)}." if own else ""


def _go_on(run: Run) -> None:
    """Save a run that has more to play; a paused one waits until someone resumes it."""
    if run.status == Run.Status.PAUSED:
        run.save()
    else:
        _wake(run)


def _wake(run: Run) -> None:
    first = _first_turn(run.queue, run.owner_id)
    run.status, run.turn = Run.Status.RUNNING, max(run.turn, first)
    if run.remote_since:
        remote.start_clocks(run)
    run.save()
    transaction.on_commit(lambda: run_started.send(sender=Run, run_id=run.pk))


def _end(run: Run, status: Run.Status) -> None:
    run.status, run.finished_at = status, timezone.now()
    if status == Run.Status.DONE:
        run.digest = digest_of(run)
    run.save()
    RemoteGame.objects.filter(unit__run=run, unit__state=Unit.State.SKIPPED).delete()
    transaction.on_commit(lambda: run_finished.send(sender=Run, run_id=run.pk))


def deals_for_unit(bots: Sequence[str], design: str, deals: int) -> int:
    of_deal = designs.games_of_deal(len(bots), design)
    fewest, most = min(map(_games_of_unit, bots))
    return max(1, min(max(deals * of_deal // UNITS, fewest), most) // of_deal)


def _games_of_unit(bot: str) -> tuple[int, int]:
    """Return the fewest and most games of a unit whose slowest bot is this one."""
    if is_remote(bot):
        return REMOTE
    if engine_bots.is_outside(bot):
        return OUTSIDE
    if bot not in engine_bots.LADDER:
        return BY_THOUGHT
    if hasattr(engine_bots.make(bot, 0), "pick"):
        return BY_REFLEX
    return BY_PLAN if bot == "planner" else BY_THOUGHT


def _add_units(run: Run, *, first_deal: int, index: int) -> None:
    firsts = range(first_deal, run.deals, run.deals_per_unit)
    # The replayed units follow from the seed, so that equal runs replay the same ones.
    chosen = int(hashlib.sha256(run.seed.encode()).hexdigest()[:8], 16) % min(REPLAYED, len(firsts))
    Unit.objects.bulk_create(
        (
            Unit(
                run=run,
                index=index + i,
                first_deal=first,
                deals=min(run.deals_per_unit, run.deals - first),
                replay=Unit.Replay.NEVER
                if run.outside
                else Unit.Replay.WANTED
                if i % REPLAYED == chosen
                else Unit.Replay.NO,
            )
            for i, first in enumerate(firsts)
        ),
        batch_size=1000,
    )


@transaction.atomic
def _give_back(unit: Unit, *, trace: str) -> None:
    locked = Unit.objects.select_for_update().get(pk=unit.pk)
    if locked.state == Unit.State.LEASED:
        locked.failures += 1
        _back(locked, trace=trace)
        transaction.on_commit(partial(finish_if_done, run_id=locked.run_id))


def _back(unit: Unit, *, trace: str) -> None:
    dead = unit.failures >= MOST_FAILURES or unit.attempts >= MOST_ATTEMPTS
    unit.state = Unit.State.DEAD if dead else Unit.State.WAITING
    unit.lease_until, unit.trace = None, trace
    unit.save(update_fields=["state", "failures", "lease_until", "trace"])


def _wanted() -> QuerySet[Unit]:
    return Unit.objects.filter(replay=Unit.Replay.WANTED, state=Unit.State.DONE)


def _replays(run_id: Any) -> QuerySet[Unit]:
    """Return the units to replay on this machine; its own only if no other machine is at work."""
    wanted = _wanted()
    others = Unit.objects.exclude(machine__in=["", settings.TABLES_MACHINE])
    own = Q(machine=settings.TABLES_MACHINE, done_at__gt=timezone.now() - PATIENCE)
    wanted = wanted.exclude(own & Exists(others.filter(run=OuterRef("run"))))
    return wanted.filter(run=run_id) if run_id else wanted


def replay_next(run_id: Any = None) -> bool:
    """Replay a finished unit and compare its digest; return False if none is to be replayed.

    One whose bots have changed is never compared. Two workers may replay the same unit: both get
    the same result.
    """
    unit = _replays(run_id).select_related("run__ruleset").order_by("?").first()
    if unit is None:
        return False
    try:
        block = play_on(unit)
    except OtherVersion:
        _compared(unit, Unit.Replay.NEVER)
        return True
    except Exception:  # The unit was played before, so any failure now is a difference.
        _compared(unit, Unit.Replay.DIFFERENT, trace=traceback.format_exc()[-MOST_TRACE:])
        return True
    if not isinstance(block, simulation.Block):
        _wanted().filter(pk=unit.pk, digest=unit.digest).update(begun=block)
    elif block.digest == unit.digest:
        _compared(unit, Unit.Replay.SAME)
    elif _compared(unit, Unit.Replay.DIFFERENT):
        _note_conflict(unit, block.digest)
    return True


def _compared(unit: Unit, replay: Unit.Replay, **more: Any) -> bool:
    """Store a replay's result; return False if another was first or the unit was reset."""
    found = Unit.objects.filter(
        pk=unit.pk, replay=Unit.Replay.WANTED, state=Unit.State.DONE, digest=unit.digest
    )
    return bool(found.update(replay=replay, begun=None, **more))


def _note_conflict(unit: Unit, digest: str) -> None:
    """Store a conflict, and have the other units of its first machine replayed."""
    Unit.objects.filter(pk=unit.pk, state=Unit.State.DONE, digest=unit.digest).update(
        conflict_digest=digest, conflict_machine=settings.TABLES_MACHINE
    )
    if unit.machine:
        others = Unit.objects.filter(run=unit.run_id, machine=unit.machine, replay=Unit.Replay.NO)
        others.update(replay=Unit.Replay.WANTED)
