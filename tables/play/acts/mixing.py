"""Players' parts of a deal: committed by their browsers first, and revealed before the deal.

A seat's *link* is the end of a hash chain that its browser made. The part it reveals is the
preimage of the link (SHA-256), and becomes the next link. The links of a game are listed before any
of its parts is revealed, so that nobody can choose a part by the others' parts. Nobody waits for a
part; a seat without one contributes none.
"""

from __future__ import annotations

import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from engine.records import deals
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import Seat, Table

LAST_MOMENT = datetime.timedelta(seconds=3)
"""Time before a deal when the links are listed, even if a browser has none."""


class Mix(NamedTuple):
    """The next deal as reported to a seat's browser; `links` is `None` until they are listed."""

    game: int | None
    fingerprint: str = ""
    links: list[str] | None = None
    link: str = ""
    part: str = ""


@transaction.atomic
def mix(
    *, table_id: int, seat_id: int, link: str = "", game_no: int | None = None, part: str = ""
) -> Mix:
    """Store a seat's first link, or its part of a game's deal; return the deal's progress.

    A link stays as long as its seat, and a part is stored once. Values that do not fit are ignored;
    the result shows which count.
    """
    table = seats.lock(table_id)
    seat = seated.occupied(table, seat_id, bot="")
    if link and not seat.link:
        _take_link(seat, link)
    game = table.games.filter(dealt_at=None).first()
    if game is None or table.status not in (Table.Status.WAITING, Table.Status.BETWEEN):
        return Mix(None, link=seat.link)
    if game.links is None and _is_time(table):
        sitting = seated.by_number(table)
        game.links = [sitting[no].link if no in sitting else "" for no in range(table.players)]
        game.parts = [""] * table.players
        game.save(update_fields=["links", "parts"])
    if game.links is None or game.parts is None:
        return Mix(game.no, game.commitment, link=seat.link)
    fits = bool(part) and deals.fingerprint(part) == game.links[seat.no]
    if fits and game.no == game_no and not game.parts[seat.no]:
        game.parts[seat.no] = part
        game.save(update_fields=["parts"])
        _take_link(seat, part)
    return Mix(game.no, game.commitment, game.links, seat.link, game.parts[seat.no])


def _take_link(seat: Seat, link: str) -> None:
    seat.link = link
    seat.save(update_fields=["link"])


def _is_time(table: Table) -> bool:
    """Return whether the links can be listed: every person has one, or the deal is imminent.

    A program may have a link too, but nobody waits for it.
    """
    there = table.seats.filter(left_at=None, bot="", autopilot=False)
    if not there.exclude(link="").exists():
        return False
    if table.due_at is not None and table.due_at - timezone.now() <= LAST_MOMENT:
        return True
    full = table.status == Table.Status.BETWEEN or not seated.empty_chairs(table)
    return full and not there.filter(link="", user__bot_account=None).exists()
