"""Players' parts of a deal: committed by their browsers first, and revealed before the deal.

A seat's *link* is the end of a hash chain that its browser made. The part it reveals is the
preimage of the link (SHA-256), and becomes the next link. The links of a game are listed before any
of its parts is revealed, so that nobody can choose a part by the others' parts. Nobody waits for a
part; a seat without one contributes none.
"""

import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.records import deals
from tables.base import row_locks
from tables.base.columns import set_columns
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import Game, Seat, SharedDeals, Table

LAST_MOMENT = datetime.timedelta(seconds=3)
"""Time before a deal when the links are listed, even if a browser has none."""


AGAIN = datetime.timedelta(seconds=2)
"""How long a table waits until it asks again whether others have given their parts."""
WAIT = datetime.timedelta(minutes=3)
"""How long tables with the same deals wait for each other's parts."""


class Mix(NamedTuple):
    """The next deal as reported to a seat's browser; `links` is `None` until they are listed.

    `following` are the fingerprints of the later deals that have the same parts, by number.
    """

    game: int | None
    fingerprint: str = ""
    links: list[str] | None = None
    link: str = ""
    part: str = ""
    following: dict[int, str] = {}


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
        set_columns(seat, link=link)
    game = table.games.filter(dealt_at=None).first()
    if game is None or table.status not in (Table.Status.WAITING, Table.Status.BETWEEN):
        return Mix(None, link=seat.link)
    game.table = table
    if table.shared is not None:
        return _mix_shared(table, game, seat, part)
    if game.links is None and _is_time(table):
        sitting = seated.by_number(table)
        set_columns(
            game,
            links=[sitting[no].link if no in sitting else "" for no in range(table.players)],
            parts=[""] * table.players,
        )
    if game.links is None or game.parts is None:
        return Mix(game.no, game.commitment, link=seat.link)
    if seat.no >= len(game.links):  # The seat was added after the links were listed.
        return Mix(game.no, game.commitment, game.links, seat.link)
    fits = bool(part) and deals.fingerprint(part) == game.links[seat.no]
    if fits and game.no == game_no and not game.parts[seat.no]:
        game.parts[seat.no] = part
        game.save(update_fields=["parts"])
        set_columns(seat, link=part)
    return Mix(game.no, game.commitment, game.links, seat.link, game.parts[seat.no])


def lacks_parts(table: Table) -> bool:
    """Return whether the next deal lacks a part of someone whose link is known."""
    game = table.games.filter(dealt_at=None).first()
    given = (game and game.parts) or [""] * table.players
    with_links = table.seats.filter(left_at=None, bot="", autopilot=False).exclude(link="")
    return any(not given[seat.no] for seat in with_links.filter(no__lt=len(given)))


def close(table: Table, game: Game) -> bool:
    """Close the parts of the next deal; return False while other tables' parts are awaited.

    The first deal closes those of all deals with the same cards.
    """
    if table.shared is None:
        return True
    shared = _locked(table.shared)
    if shared.dealt_at is None:
        if timezone.now() < table.opened_at + WAIT and not _is_complete(shared):
            return False
        set_columns(shared, dealt_at=timezone.now())
    game.links, game.parts = shared.links or [], shared.parts or []
    return True


def _mix_shared(table: Table, game: Game, seat: Seat, part: str) -> Mix:
    """Store a seat's part of all deals of its round; see `mix`."""
    assert table.shared is not None
    shared = _locked(table.shared)
    secrets = {no: deals.shared_secret(shared.secret, no) for no in _numbers(table, game)}
    prints = {no: deals.fingerprint(secret) for no, secret in secrets.items()}
    if shared.links is None and shared.dealt_at is None and _is_time_for_all(table, shared):
        there = _people(shared).order_by("table_id", "no")
        links = list(there.exclude(link="").values_list("link", flat=True))
        set_columns(shared, links=links, parts=[""] * len(links))
    told = Mix(game.deal_no, game.commitment, shared.links, seat.link, "", prints)
    if shared.links is None or shared.parts is None or seat.link not in shared.links:
        return told
    at = shared.links.index(seat.link)
    fits = bool(part) and deals.fingerprint(part) == seat.link
    if fits and shared.dealt_at is None and not shared.parts[at]:
        shared.parts[at] = part
        shared.save(update_fields=["parts"])
    return told._replace(part=shared.parts[at])


def _numbers(table: Table, game: Game) -> range:
    """Return the numbers of the shared deals that the table will play after the next one."""
    terms = table.arrangement
    return range(game.deal_no + 1, terms.shared_from + (terms.games or 1))


def _locked(shared: SharedDeals) -> SharedDeals:
    return row_locks.take(SharedDeals.objects.all(), shared.pk)


def _people(shared: SharedDeals) -> QuerySet[Seat]:
    """Return the people at the tables with these deals, without programs and absent ones."""
    found = Seat.objects.filter(table__arrangement__shared=shared, left_at=None, bot="")
    return found.filter(autopilot=False, user__bot_account=None)


def _is_complete(shared: SharedDeals) -> bool:
    """Return whether everyone at the tables has given a part."""
    given = shared.parts is not None and all(shared.parts)
    return given or not _people(shared).exists()


def _is_time_for_all(table: Table, shared: SharedDeals) -> bool:
    """Return whether the links of all tables can be listed."""
    if table.due_at is not None and table.opened_at + WAIT - timezone.now() <= LAST_MOMENT:
        return True
    return not _people(shared).filter(link="").exists()


def _is_time(table: Table) -> bool:
    """Return whether the links can be listed: every person has one, or the deal is imminent.

    A program may have a link too, but nobody waits for it. A held table has no players yet.
    """
    there = table.seats.filter(left_at=None, bot="", autopilot=False)
    if table.is_held or not there.exclude(link="").exists():
        return False
    if table.due_at is not None and table.due_at - timezone.now() <= LAST_MOMENT:
        return True
    full = table.status == Table.Status.BETWEEN or not seated.empty_chairs(table)
    return full and not there.filter(link="", user__bot_account=None).exists()
