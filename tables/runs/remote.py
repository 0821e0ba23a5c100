"""Units with remote bots: workers visit them, and they rest between visits.

A visit plays each game as far as its answers go and stores the next questions. No worker waits for
an answer.
"""

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone

from engine.records import wire
from engine.sim import designs, simulation
from engine.sim.faults import ILLEGAL, SLOW, Conditions, GameLog
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.models import RemoteGame, Run, Unit, Upload
from tables.programs.apart import Alive, Guard, play_apart

BUDGET = datetime.timedelta(seconds=settings.TABLES_REMOTE_SECONDS)
"""Time a bot has for the positions it is given together."""
PATIENCE = datetime.timedelta(minutes=5)
"""How long a bot may be silent before its open positions become faults."""
HOLD = datetime.timedelta(seconds=15)
"""How long a silent bot's position stays open at least, in case it returns."""
LONGEST = datetime.timedelta(minutes=30)
"""How long a polling bot may leave a position untaken."""
STALE = datetime.timedelta(seconds=20)
"""Time without a sweep after which the server counts as down, when no bot could answer."""
MOST_AT_REST = 8
"""Most units of a run that wait for answers at once."""


@dataclass(frozen=True)
class _Visit:
    """A game after a visit: its log, and the question with its bot; no question if it is over."""

    log: list[Any]
    bot: str = ""
    question: dict[str, Any] | None = None


def asked_as(bot: str, turn: int) -> str:
    """Return the key of a bot's question in a game's `asked`."""
    return f"{bot} {turn}"


def open_games() -> QuerySet[RemoteGame]:
    """Return the games of running runs that wait for an answer."""
    return RemoteGame.objects.filter(
        question__isnull=False, answer__isnull=True, unit__run__status=Run.Status.RUNNING
    )


def asked_bots(run: Run) -> list[str]:
    """Return the bots over the network from which a running run waits for an answer."""
    asked = open_games().filter(unit__run=run)
    return sorted(asked.values_list("bot", flat=True).distinct())


def lapsed(now: datetime.datetime) -> QuerySet[RemoteGame]:
    """Return the open games whose bot is late or silent, or left them untaken for too long.

    None of them lapses after a downtime of the server: its first sweep restarts their clocks.
    """
    seen = Upload.objects.filter(name=OuterRef("bot"))
    swept = open_games().filter(unit__run__remote_swept_at__gt=now - STALE)
    silent = swept.annotate(
        heard=Greatest(seen.values("seen_at")[:1], F("unit__run__remote_since"))
    )
    return silent.filter(
        Q(until__lt=now)
        | Q(until__isnull=True, asked_at__lt=now - HOLD, heard__lt=now - PATIENCE)
        | Q(until__isnull=True, asked_at__lt=now - LONGEST)
    )


@transaction.atomic
def wake_units() -> int:
    """Queue units with answers or late bots for a visit; return their number.

    Units locked by an answer or a visit are skipped.
    """
    now = timezone.now()
    _note_sweep(now)
    late = lapsed(now).filter(unit=OuterRef("pk"))
    answered = RemoteGame.objects.filter(unit=OuterRef("pk"), answer__isnull=False)
    found = Unit.objects.filter(Exists(late) | Exists(answered), state=Unit.State.ASKING)
    free = list(found.select_for_update(skip_locked=True, no_key=True))
    return Unit.objects.filter(pk__in=[unit.pk for unit in free]).update(state=Unit.State.WAITING)


def _note_sweep(now: datetime.datetime) -> None:
    """Store the time of this sweep; restart the bots' clocks after a downtime."""
    running = Run.objects.filter(status=Run.Status.RUNNING, remote_since__isnull=False)
    for run in running.select_for_update(no_key=True).order_by("pk"):
        if run.remote_swept_at is None or abs(now - run.remote_swept_at) > STALE:
            start_clocks(run)
        run.remote_swept_at = now
        run.save(update_fields=["remote_since", "remote_swept_at"])


def lock_units(run: Run) -> None:
    """Lock the run's units with remote games, in the same order as answers do."""
    asking = run.units.filter(Exists(RemoteGame.objects.filter(unit=OuterRef("pk"))))
    list(asking.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def start_clocks(run: Run) -> None:
    """Restart the clocks of a run's open positions. The caller holds the run's lock."""
    lock_units(run)
    run.remote_since = run.remote_swept_at = now = timezone.now()
    asked = RemoteGame.objects.filter(unit__run=run, question__isnull=False)
    asked.update(asked_at=now, until=None, leased_until=None)


def visit(unit: Unit, alive: Alive) -> Callable[[int, int], GameLog] | None:
    """Play the unit's games on; return their logs once all are over, else `None`."""
    of_deal, first = _games_of_deal(unit.run), unit.first_deal
    if not unit.remote_games.exists():
        fresh = [RemoteGame(unit=unit, number=number) for number in range(unit.deals * of_deal)]
        RemoteGame.objects.bulk_create(fresh, ignore_conflicts=True)
    games = list(unit.remote_games.order_by("number"))
    late = set(lapsed(timezone.now()).filter(unit=unit).values_list("pk", flat=True))
    begun = {game.number: game.log + _decided(game, game.pk in late) for game in games}
    asks = [
        game.number
        for game in games
        if not game.over and (game.question is None or begun[game.number] != game.log)
    ]
    visits = _play_on(unit, {number: begun[number] for number in asks}, alive) if asks else {}
    if not _store(unit, games, visits):
        return None
    logs = {game.number: game.log for game in games} | {n: one.log for n, one in visits.items()}
    return lambda deal, number: GameLog(logs[(deal - first) * of_deal + number])


def _games_of_deal(run: Run) -> int:
    return designs.games_of_deal(len(run.bots), run.design)


def _decided(game: RemoteGame, is_late: bool) -> list[Any]:
    """Return the log entries that an answer or a timeout adds to a game."""
    if game.question is None:
        return []
    if game.answer is not None:
        if game.answer in game.question["turn"]["legal"]:
            return [game.answer]
        return [[ILLEGAL, f'It chose "{game.answer}", which is not in "legal".']]
    if is_late:
        return [[SLOW, _lateness(game)]]
    return []


def _lateness(game: RemoteGame) -> str:
    if game.until:
        return f"It gave no answer within {BUDGET.total_seconds():g} s."
    if game.asked_at and game.asked_at < timezone.now() - LONGEST:
        return f"It left this position to others for {LONGEST.total_seconds():g} s."
    return f"It asked for no positions for {PATIENCE.total_seconds():g} s."


def _play_on(unit: Unit, logs: dict[int, list[Any]], alive: Alive) -> dict[int, _Visit]:
    run = unit.run
    bots, of_deal = [bot["name"] for bot in run.bots], _games_of_deal(run)
    ruleset = rulesets.thaw(run.ruleset)

    def play(guard: Guard, tick: Alive) -> dict[int, _Visit]:
        conditions = Conditions(substitute=run.substitute, guard=guard)
        found = {}
        for number, entries in logs.items():
            deal, rotation = divmod(number, of_deal)
            log = GameLog(entries)
            asked = simulation.go_on(
                ruleset, bots, run.seed, unit.first_deal + deal, rotation, run.design, log,
                conditions=conditions,
            )  # fmt: skip
            tick()
            if asked is None:
                found[number] = _Visit(log.entries)
                continue
            bot, one = asked
            question = {
                "players": one.observation.players,
                "seat": one.observation.seat,
                "stake": one.observation.stake,
                "turn": wire.turn(one.observation, one.legal),
            }
            found[number] = _Visit(log.entries, bots[bot], question)
        return found

    return play_apart(bots, play, alive)


def save(games: Sequence[RemoteGame], *fields: str) -> None:
    """Store fields of existing games in one statement, the fastest way."""
    RemoteGame.objects.bulk_create(
        games, update_conflicts=True, unique_fields=["id"], update_fields=fields
    )


@transaction.atomic
def _store(unit: Unit, games: list[RemoteGame], visits: dict[int, _Visit]) -> bool:
    """Store the visited games and let the unit rest; return True if all games are over.

    An answer locks the unit too, so that none slips in between and is lost.
    """
    locked = Unit.objects.select_for_update(no_key=True).get(pk=unit.pk)
    if locked.state != Unit.State.LEASED:
        return False
    now = timezone.now()
    known = {game.pk: len(game.log) for game in games}
    moved = []
    for game in unit.remote_games.filter(number__in=visits):
        seen = visits[game.number]
        if len(game.log) != known[game.pk]:
            continue  # Another worker visited after our lease ran out.
        game.log, game.bot, game.question = seen.log, seen.bot, seen.question
        game.over = seen.question is None
        if seen.question is not None:
            game.turn = len(seen.question["turn"]["history"])
            game.asked[asked_as(seen.bot, game.turn)] = len(seen.log)
        game.asked_at, game.client, game.leased_until = now, "", None
        game.until = game.answer = None
        moved.append(game)
    save(moved, "log", "turn", "asked", "over", "bot", "question", "asked_at", "client",
         "leased_until", "until", "answer")  # fmt: skip
    left = unit.remote_games.filter(over=False)
    if not left.exists():
        return True
    set_columns(
        locked,
        state=Unit.State.WAITING if left.filter(answer__isnull=False) else Unit.State.ASKING,
        attempts=0,
        lease_until=None,
    )
    return False
