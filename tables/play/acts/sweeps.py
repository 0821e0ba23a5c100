"""The sweep over due tables: bots' moves, expired clocks, new games.

No state waits in the broker: a lost or late message changes nothing.
"""

import datetime
import logging
import time

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.db.models.functions import Mod
from django.utils import timezone

from tables.chairs.acts import seats
from tables.models import Game, Table
from tables.play.acts import fast_move, games, thinking
from tables.play.facts import positions
from tables.refusals import Stale

log = logging.getLogger(__name__)

RETRY = datetime.timedelta(seconds=30)
SLACK = datetime.timedelta(seconds=2)
"""Tolerated difference between two processes' clocks."""


MANY, SHARDS = 100, 8
"""With more due tables than one process should do alone, any worker does a part of their keys."""


def are_many() -> bool:
    """Return whether more is due than one sweep should do."""
    return Table.objects.filter(due_at__lte=timezone.now())[: MANY + 1].count() > MANY


def sweep(shard: int | None = None) -> int:
    """Do what is due at every unlocked table, or those of a shard; return the number of tables."""
    due = positions.rows().filter(due_at__lte=timezone.now()).order_by("due_at")
    if shard is not None:
        due = due.alias(shard=Mod("pk", SHARDS)).filter(shard=shard)
    return sum(_tick(table) for table in due[:500])


def sweep_for(seconds: float, *, pause: float = 0.2) -> int:
    """Sweep now, and again while something falls due within these seconds.

    Bots think in between, one at a time, so that a clock waits for at most one of them.
    """
    end = time.monotonic() + seconds
    follow_the_clock()
    done = sweep()
    while time.monotonic() + pause < end:
        if not thinking.think_next():
            until = timezone.now() + datetime.timedelta(seconds=end - time.monotonic())
            if not Table.objects.filter(due_at__lte=until).exists():
                break
            time.sleep(pause)
        done += sweep()
    return done


def follow_the_clock() -> int:
    """Repair deadlines after the machine's clock went back; return the number of tables.

    A turn that began in the future begins now and keeps its length; a pause starts again.
    """
    now = timezone.now()
    ahead = now + SLACK
    dealt_ahead = Game.objects.filter(table=OuterRef("pk"), over_at=None, dealt_at__gt=ahead)
    in_turn = Q(turn_at__isnull=False)
    waiting = Q(status=Table.Status.WAITING)
    late = (
        Q(turn_at__gt=ahead)
        | Q(status=Table.Status.BETWEEN, due_at__gt=ahead + games.PAUSE)
        | waiting & Q(due_at__gt=ahead + seats.IDLE)
        | Q(status=Table.Status.PLAYING, turn_at=None) & Exists(dealt_ahead)
    )
    return Table.objects.filter(late, due_at__gt=now).update(
        due_at=Case(
            When(in_turn, then=F("due_at") - (F("turn_at") - Value(now))),
            When(waiting, then=Value(now + seats.IDLE)),
            default=Value(now + games.PAUSE),
        ),
        turn_at=Case(When(in_turn, then=Value(now))),
    )


def _tick(table: Table) -> int:
    try:
        if not _move_bot(table) and not _lock_and_tick(table.pk):
            return 0
    except (OperationalError, InterfaceError) as error:
        # A database outage is no fault of this table; it stays due.
        log.warning("Table %s waits for the next sweep: %s", table.pk, error)
        return 0
    except Exception:
        # One table must not stop the others; it is retried after `RETRY`.
        log.exception("Table %s cannot go on", table.pk)
        Table.objects.filter(pk=table.pk, due_at__isnull=False).update(
            due_at=timezone.now() + RETRY
        )
        return 0
    return 1


def _move_bot(table: Table) -> bool:
    """Try the fast path for a quick bot's move, which covers most due tables."""
    if table.status != Table.Status.PLAYING or table.thinks:
        return False
    try:
        return fast_move.take_for_bot(positions.of(table)) is not None
    except Stale:
        return False


def _lock_and_tick(table_id: int) -> bool:
    """Do what is due under the table's lock; a slow bot thinks without the lock in between."""
    for _again in range(2):
        with transaction.atomic():
            due = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
            table = (
                due.select_related("ruleset", "arrangement")
                .filter(pk=table_id, due_at__lte=timezone.now())
                .first()
            )
            if table is None:
                return False
            if games.tick(table):
                return True
        thinking.think(table_id)
    return False
