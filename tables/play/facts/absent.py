"""What players may do for someone at their table who is not there."""

from __future__ import annotations

import datetime

from django.utils import timezone

from tables.models import Seat, Table
from tables.play.facts.positions import Position

ALONE = datetime.timedelta(minutes=1)
"""How long someone has to be offline before any player may act; the host may at once, but give."""


def is_of_friends(table: Table) -> bool:
    """Return whether people opened the table for friends, so that it has a host."""
    return table.terms is None and not table.for_anyone


def may_do(position: Position, by: Seat, seat: Seat, *, later: bool = False) -> list[str]:
    """Return what `by` may do for the player of another seat.

    `give` hands the seat to the browser that claims it, `give_second` to the one that claims it
    too, after a minute offline, also for the host.
    `skip` and `wait` are about the present turn, `bot` lets a bot play on, `remove` frees the seat.
    During a game these are for players who are offline or have run out of time. With `later`, as
    if the player had been offline for a minute. Where games are rated or for money, the clock alone
    decides.
    """
    table = position.table
    if seat.is_bot or seat.pk == by.pk or table.rated or table.unit:
        return []
    if position.replayed is not None and not (seat.gone_at or seat.autopilot):
        return []
    hosts = is_of_friends(table) and position.host is not None and position.host.pk == by.pk
    gone = seat.gone_at is not None
    gone_long = seat.gone_at is not None and (later or timezone.now() - seat.gone_at >= ALONE)
    if not hosts and not gone_long:
        return []
    waited_for = gone and not seat.autopilot and _acts(position, seat)
    found = {
        "give": bool(seat.claim) and gone_long,
        "give_second": bool(seat.second_claim) and gone_long,
        "skip": waited_for,
        "wait": waited_for and hosts,
        "bot": position.replayed is not None and not seat.away,
        "remove": hosts and not seat.leaving,
    }
    return [do for do, may in found.items() if may]


def _acts(position: Position, seat: Seat) -> bool:
    game, replayed = position.game, position.replayed
    if game is None or replayed is None or game.pause:
        return False
    return replayed.state.turn == seat.no
