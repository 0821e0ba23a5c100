"""One sweep finds everything that is due: bots' moves, clocks that ran out, new games.

Nothing waits in the broker: a message that is lost or late changes nothing.
"""

from __future__ import annotations

import datetime
import logging
import time

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When
from django.utils import timezone

from tables.models import Game, Table
from tables.refusals import Stale
from tables.services import fast_move, games, seats, table_state, thinking

log = logging.getLogger(__name__)

RETRY = datetime.timedelta(seconds=30)
SLACK = datetime.timedelta(seconds=2)
"""The clocks of two processes may differ by so much."""


def sweep() -> int:
    """Do what is due at every table that nobody else has locked; returns how many."""
    due = table_state.rows().filter(due_at__lte=timezone.now()).order_by("due_at")
    return sum(_tick(table) for table in due[:500])


def sweep_for(seconds: float, *, pause: float = 0.2) -> int:
    """Sweeps at once, and again while something falls due within these seconds.

    In between, bots think: one at a time, so that no clock waits for more than one of them.
    """
    end = time.monotonic() + seconds
    follow_the_clock()
    done = sweep()
    while time.monotonic() + pause < end:
        thought = thinking.think_next()
        if not thought and not _soon(end - time.monotonic()):
            break
        if not thought:
            time.sleep(pause)
        done += sweep()
    return done


def follow_the_clock() -> int:
    """Lets tables go on after the machine's clock went back: what is due would be far off.

    A turn that began in the future begins now and keeps its length, a pause begins again. Returns
    at how many tables.
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


def _soon(seconds: float) -> bool:
    until = timezone.now() + datetime.timedelta(seconds=seconds)
    return Table.objects.filter(due_at__lte=until).exists()


def _tick(table: Table) -> int:
    try:
        if not _move_bot(table) and not _lock_and_tick(table.pk):
            return 0
    except (OperationalError, InterfaceError) as error:
        # The database went away or refused: that is nothing of this table, and it is still due.
        log.warning("Table %s waits for the next sweep: %s", table.pk, error)
        return 0
    except Exception:
        # One table must not stop the others; the next sweep but a few tries again.
        log.exception("Table %s cannot go on", table.pk)
        Table.objects.filter(pk=table.pk, due_at__isnull=False).update(
            due_at=timezone.now() + RETRY
        )
        return 0
    return 1


def _move_bot(table: Table) -> bool:
    """Move a quick bot after whose move the game just goes on: most of what is due is that."""
    if table.status != Table.Status.PLAYING or table.thinks:
        return False
    try:
        return fast_move.take_for_bot(table_state.of(table)) is not None
    except Stale:
        return False


def _lock_and_tick(table_id: int) -> bool:
    """Do what is due; a bot that has yet to think does so without the lock, and then moves."""
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
