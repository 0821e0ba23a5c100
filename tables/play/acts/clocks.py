"""The clock of a table: whose time runs, and until when."""

from __future__ import annotations

import datetime
import random
from collections.abc import Mapping
from copy import copy
from typing import Literal, NamedTuple

from django.conf import settings
from django.utils import timezone

from engine.rules.cardset import size
from engine.rules.shapes import packed_of
from engine.rules.state import PLAY, State
from tables.bots.facts import autopilot
from tables.models import Seat, Table
from tables.play.facts import absent

ASIDE = 6000
"""Milliseconds a passed seat has for a chop, the same for every hand."""

USUAL = 20
"""Seconds for a move from which on bots take their whole time."""
FORCED = 1000
"""Milliseconds of a pass that everyone can see is forced: the same for people and for bots."""
FEWEST_IN_CHOP = 4

OUTAGE = datetime.timedelta(seconds=10)
"""Delay after which a clock counts as unwatched: its player gets `CREDIT`, once per turn."""
CREDIT = datetime.timedelta(seconds=15)

ACTED = ("bank_ms", "autopilot", "away", "cut_off")
"""The fields of a seat that an action changes."""

_random = random.SystemRandom()


class Wait(NamedTuple):
    """The event a table waits for until `due_at`; a turn runs since `turn_at`.

    `thinks` is set while the bot in turn has not chosen yet.
    """

    what: Literal["turn", "trade", "window", "over"]
    due_at: datetime.datetime | None = None
    turn_at: datetime.datetime | None = None
    thinks: bool = False

    def begin(self, table: Table) -> None:
        """Write the wait to the table, which the caller saves."""
        table.due_at, table.turn_at, table.thinks = self.due_at, self.turn_at, self.thinks


def turn(table: Table, state: State, chairs: Mapping[int, Seat]) -> Wait:
    """Return the wait for the seat in turn; bots that play on alone act at once."""
    seat, now = chairs[state.turn], timezone.now()
    if is_forced(state):
        due_at = now + datetime.timedelta(milliseconds=FORCED)
    elif are_bots_alone(state, chairs):
        due_at = now
    elif seat.is_bot or seat.autopilot:
        due_at = now + thinking(table)
    else:
        due_at = now + span(table, state, seat, now)
        if seat.claim and seat.gone_at:  # Who asks for the seat gets it before a bot moves.
            due_at = max(due_at, seat.gone_at + absent.ALONE)
    return Wait("turn", due_at, now, seat.is_bot and seat.bot not in autopilot.QUICK)


def are_bots_alone(state: State, chairs: Mapping[int, Seat]) -> bool:
    """Return whether all people have finished or left the game to bots, which play on."""
    people = {no: seat for no, seat in chairs.items() if not seat.is_bot}
    return bool(people) and all(
        (seat.leaving and seat.autopilot) or state.out >> no & 1 for no, seat in people.items()
    )


def take_over(table: Table) -> None:
    """Make a bot move soon for the seat in turn, no later than the turn would end."""
    soon = timezone.now() + thinking(table)
    table.due_at = min(table.due_at or soon, soon)


def deadline(table: Table, state: State, seat: Seat) -> datetime.datetime:
    """Return the end of a person's turn, counted from its beginning."""
    assert table.turn_at is not None
    return table.turn_at + span(table, state, seat, table.turn_at)


def span(table: Table, state: State, seat: Seat, turn_at: datetime.datetime) -> datetime.timedelta:
    """Return the length of a person's turn, including the bank."""
    return datetime.timedelta(milliseconds=sum(allowance(table, state, seat.bank_in(turn_at))))


def allowance(table: Table, state: State, bank_ms: int) -> tuple[int, int]:
    """Return the milliseconds for a move of the player in turn, then those of the bank."""
    if is_aside(state):
        return ASIDE, 0
    return (FORCED, 0) if is_forced(state) else (table.move_seconds * 1000, bank_ms)


def acted(table: Table, state: State, seat: Seat, made_by: str) -> Seat | None:
    """Return the seat after its action, `None` if it does not change.

    A player's action takes the time beyond `move_seconds` from the bank and ends the autopilot.
    A timeout empties the bank that ran, and the autopilot plays until the player acts again, or is
    back after a cut. `state` is the state before the action.
    """
    after = copy(seat)
    if made_by == "player":
        after.bank_ms = max(0, seat.bank_ms - beyond(table))
        after.autopilot = after.away = after.cut_off = False
    elif made_by == "autopilot" and not (seat.autopilot or is_aside(state) or is_forced(state)):
        after.bank_ms -= seat.bank_in(table.turn_at)
        after.autopilot, after.cut_off = True, seat.gone_at is not None
    changes = any(getattr(after, name) != getattr(seat, name) for name in ACTED)
    return after if changes else None


def beyond(table: Table) -> int:
    """Return the milliseconds of the turn beyond the time for a move."""
    if table.turn_at is None:
        return 0
    spent = timezone.now() - table.turn_at - datetime.timedelta(seconds=table.move_seconds)
    return max(0, int(spent.total_seconds() * 1000))


def is_aside(state: State) -> bool:
    """Return whether a passed seat is asked for a chop, as some rulesets allow."""
    return state.phase == PLAY and bool(state.locked >> state.turn & 1)


def is_forced(state: State) -> bool:
    """Return whether the seat in turn has to pass, as everyone can see: it has too few cards.

    No chop has less than four cards, and all that is beaten without one has as many as the play.
    """
    hidden = state.ruleset.card_counts != "public"
    if hidden or state.phase != PLAY or not state.top or is_aside(state):
        return False
    return size(state.hands[state.turn]) < min(size(packed_of(state.top)), FEWEST_IN_CHOP)


def thinking(table: Table) -> datetime.timedelta:
    """Return a bot's thinking time, random so that it reveals nothing of its cards.

    Where people have less time than `USUAL` for a move, bots are as much quicker.
    """
    least, most = settings.TABLES_BOT_SECONDS
    pace = min(1.0, table.move_seconds / USUAL)
    return datetime.timedelta(seconds=_random.uniform(least, most) * pace)


def window() -> datetime.timedelta:
    """Return the length of the instant-win window."""
    return datetime.timedelta(seconds=settings.TABLES_WINDOW_SECONDS)


def credit(table: Table, seat: Seat) -> bool:
    """Extend a turn whose clock nobody watched; return True if it did."""
    now = timezone.now()
    if seat.is_bot or seat.autopilot or table.due_at is None:
        return False
    if now - table.due_at < OUTAGE or table.credited_version == table.moved_version:
        return False
    table.credited_version = table.moved_version
    table.due_at = now + CREDIT
    return True
