"""Time at a table: whose clock runs, and when it is due."""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping
from copy import copy
from typing import Literal, NamedTuple

from django.conf import settings
from django.utils import timezone

from engine.rules.state import PLAY, State
from tables.models import Seat, Table
from tables.services import autopilot

ASIDE = 6000
"""How many milliseconds a seat that has passed is asked for a chop: the same whatever it holds."""

OUTAGE = datetime.timedelta(seconds=10)
"""A clock found so late was not watched: its player gets `CREDIT` once for this turn."""
CREDIT = datetime.timedelta(seconds=15)

_random = random.SystemRandom()


class Wait(NamedTuple):
    """What a table waits for until `due_at`; a turn runs since `turn_at`.

    `thinks` while a bot whose turn it is has yet to choose.
    """

    what: Literal["turn", "trade", "window", "over"]
    due_at: datetime.datetime | None = None
    turn_at: datetime.datetime | None = None
    thinks: bool = False

    def begin(self, table: Table) -> None:
        """Let the table wait for this."""
        table.due_at, table.turn_at, table.thinks = self.due_at, self.turn_at, self.thinks


def turn(table: Table, state: State, chairs: Mapping[int, Seat]) -> Wait:
    """Return how long the seat to act has from now on; bots that play on alone act at once."""
    seat, now = chairs[state.turn], timezone.now()
    if are_bots_alone(state, chairs):
        due_at = now
    elif seat.is_bot or seat.autopilot:
        due_at = now + thinking()
    else:
        due_at = now + span(table, state, seat)
    return Wait("turn", due_at, now, seat.is_bot and seat.bot not in autopilot.QUICK)


def are_bots_alone(state: State, chairs: Mapping[int, Seat]) -> bool:
    """Whether all people who sit there have their places, and only bots play on."""
    people = [no for no, seat in chairs.items() if not seat.is_bot]
    return bool(people) and all(state.out >> no & 1 for no in people)


def take_over(table: Table) -> None:
    """Lets a bot move soon for the seat to act: no later than the turn would be over."""
    soon = timezone.now() + thinking()
    table.due_at = min(table.due_at or soon, soon)


def give_back(table: Table, state: State, seat: Seat) -> None:
    """Give a turn back to its player, with what is left of it."""
    table.due_at = deadline(table, state, seat)


def deadline(table: Table, state: State, seat: Seat) -> datetime.datetime:
    """When a person's turn is over, from when it began: time that was spent belongs to it."""
    assert table.turn_at is not None
    return table.turn_at + span(table, state, seat)


def span(table: Table, state: State, seat: Seat) -> datetime.timedelta:
    """Return how long a person's turn lasts, the bank with it."""
    return datetime.timedelta(milliseconds=sum(allowance(table, state, seat.bank_ms)))


def allowance(table: Table, state: State, bank_ms: int) -> tuple[int, int]:
    """Return the milliseconds the player to act may take, then those of their bank."""
    return (ASIDE, 0) if is_aside(state) else (table.move_seconds * 1000, bank_ms)


def acted(table: Table, state: State, seat: Seat, made_by: str) -> Seat | None:
    """Return the seat as its action leaves it, None where it stays as it is.

    What a player needed beyond the time of a move comes off his bank, and he is here. Whose time
    is over, for him the autopilot plays until he acts again. `state` is that before the action.
    """
    bank_ms, played_for, away = before = seat.bank_ms, seat.autopilot, seat.away
    if made_by == "player":
        bank_ms, played_for, away = max(0, bank_ms - beyond(table)), False, False
    elif made_by == "autopilot" and not played_for and not is_aside(state):
        bank_ms, played_for = 0, True
    if (bank_ms, played_for, away) == before:
        return None
    after = copy(seat)
    after.bank_ms, after.autopilot, after.away = bank_ms, played_for, away
    return after


def beyond(table: Table) -> int:
    """Return the milliseconds that the turn has taken beyond the time of a move."""
    if table.turn_at is None:
        return 0
    spent = timezone.now() - table.turn_at - datetime.timedelta(seconds=table.move_seconds)
    return max(0, int(spent.total_seconds() * 1000))


def is_aside(state: State) -> bool:
    """Whether a seat that has passed is asked for a chop, as some rules do."""
    return state.phase == PLAY and bool(state.locked >> state.turn & 1)


def thinking() -> datetime.timedelta:
    """How long a bot takes: by chance alone, so that it tells nothing of its cards."""
    least, most = settings.TABLES_BOT_SECONDS
    return datetime.timedelta(seconds=_random.uniform(least, most))


def window() -> datetime.timedelta:
    """How long everyone is asked for instant wins."""
    return datetime.timedelta(seconds=settings.TABLES_WINDOW_SECONDS)


def credit(table: Table, seat: Seat) -> bool:
    """Give a player time back when nobody watched the clock; True when it did."""
    now = timezone.now()
    if seat.is_bot or seat.autopilot or table.due_at is None:
        return False
    if now - table.due_at < OUTAGE or table.credited_version == table.moved_version:
        return False
    table.credited_version = table.moved_version
    table.due_at = now + CREDIT
    return True
