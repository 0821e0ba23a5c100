"""Time at a table: whose clock runs, and when it is due."""

from __future__ import annotations

import datetime
import random

from django.conf import settings
from django.utils import timezone

from engine.state import PLAY, State
from tables.models import Seat, Table
from tables.services import autopilot

ASIDE = datetime.timedelta(seconds=6)
"""How long a seat that has passed is asked for a chop: the same whatever it holds."""

OUTAGE = datetime.timedelta(seconds=10)
"""A clock found so late was not watched: its player gets `CREDIT` once for this turn."""
CREDIT = datetime.timedelta(seconds=15)

_random = random.SystemRandom()


def start(table: Table, state: State, seat: Seat) -> None:
    """Starts the clock of the seat to act."""
    now = timezone.now()
    table.turn_at = now
    table.thinks = seat.is_bot and seat.bot not in autopilot.QUICK
    if seat.is_bot or seat.autopilot:
        table.due_at = now + thinking()
    elif is_aside(state):
        table.due_at = now + ASIDE
    else:
        table.due_at = now + datetime.timedelta(
            seconds=table.move_seconds, milliseconds=seat.bank_ms
        )


def stop(table: Table, seat: Seat) -> None:
    """Takes what a move needed beyond its time from the seat's bank; its player is here."""
    before = (seat.bank_ms, seat.autopilot, seat.away)
    seat.bank_ms = max(0, seat.bank_ms - beyond(table))
    seat.autopilot = seat.away = False
    if before != (seat.bank_ms, False, False):
        seat.save(update_fields=["bank_ms", "autopilot", "away"])


def beyond(table: Table) -> int:
    """The milliseconds that the turn has taken beyond the time of a move."""
    if table.turn_at is None:
        return 0
    spent = timezone.now() - table.turn_at - datetime.timedelta(seconds=table.move_seconds)
    return max(0, int(spent.total_seconds() * 1000))


def run_out(seat: Seat) -> None:
    """The seat's time is over: the autopilot plays until its player acts again."""
    if not seat.autopilot:
        seat.autopilot, seat.bank_ms = True, 0
        seat.save(update_fields=["autopilot", "bank_ms"])


def is_aside(state: State) -> bool:
    """Whether a seat that has passed is asked for a chop, as some rules do."""
    return state.phase == PLAY and bool(state.locked >> state.turn & 1)


def thinking() -> datetime.timedelta:
    """How long a bot takes: by chance alone, so that it tells nothing of its cards."""
    least, most = settings.TABLES_BOT_SECONDS
    return datetime.timedelta(seconds=_random.uniform(least, most))


def window() -> datetime.timedelta:
    """How long everybody is asked for instant wins."""
    return datetime.timedelta(seconds=settings.TABLES_WINDOW_SECONDS)


def credit(table: Table, seat: Seat) -> bool:
    """Gives a player time back when nobody watched the clock; True when it did."""
    now = timezone.now()
    if seat.is_bot or seat.autopilot or table.due_at is None:
        return False
    if now - table.due_at < OUTAGE or table.credited_version == table.moved_version:
        return False
    table.credited_version = table.moved_version
    table.due_at = now + CREDIT
    return True
