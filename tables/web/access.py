"""The caller's identity, table and seat, for pages and the API."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from accounts.sessions import account_of
from tables import hosts
from tables.base import tokens
from tables.base.lookup import or_raise
from tables.models import Seat, Table
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tables.refusals import TableRefusal

DEVICE = "device"


def table_of(key: str) -> Table:
    table: Table = get_object_or_404(positions.rows(), key=key)
    return table


def cookie_name(key: str) -> str:
    return f"seat-{key}"


def seat_of(request: HttpRequest, table: Table) -> Seat | None:
    """Return the caller's seat: by account, or by the secret in the browser."""
    return positions.of(table).find(**who(request, table.key))


def last_seat_of(request: HttpRequest, table: Table) -> Seat | None:
    """Return the seat where the caller sits or has sat."""
    asks = who(request, table.key)
    held = Q(token_hash=tokens.hash_of(asks["token"])) if asks["token"] else Q(pk__in=())
    if asks["user"]:
        held |= Q(user=asks["user"])
    found: Seat | None = table.seats.filter(held).order_by("pk").last()
    return found


def must_see(table: Table, seat: Seat | None, *, user: Any, token: str = "") -> None:
    """Raise `Http404` if the visitor `may_see` nothing of the table."""
    if not may_see(table, seat, user=user, token=token):
        raise Http404


def may_see(table: Table, seat: Seat | None, *, user: Any, token: str = "") -> bool:
    """Return whether the visitor may see the money and the names of the table.

    Players at the table always may.
    """
    return bool(seat) or not table.terms or hosts.host().may_watch(table, user, token)


def device_of(request: HttpRequest) -> str:
    """Return the secret that identifies this browser at all tables; "" for a new browser."""
    return request.COOKIES.get(DEVICE, "")[:64]


def who(request: HttpRequest, key: str) -> dict[str, Any]:
    """Return the caller's account and secret, as arguments of `Position.find`."""
    return {"user": account_of(request), "token": request.COOKIES.get(cookie_name(key), "")}


def place_of(key: str, *, user: Any = None, token: str = "") -> tuple[Position, Seat]:
    """Return the caller's seat with the table's position, which may be outdated.

    A cached position is used if it has the seat; services detect that it is old. Raise
    `TableRefusal` if the caller does not sit there.
    """
    known = positions.latest(key)
    if known and (seat := known.find(user=user, token=token)):
        return known, seat
    found = positions.of(table_of(key))
    if seat := found.find(user=user, token=token):
        return found, seat
    raise TableRefusal("not_seated", status=403)


def name_of(request: HttpRequest) -> str:
    """Return the name proposed to a new player: never a part of the account's email."""
    return known_name(request) or _("Guest")


def known_name(request: HttpRequest) -> str:
    """Return the name of the account, or of its player in a club; "" without one."""
    user = account_of(request)
    return (user.name or hosts.host().name_of(user))[:40] if user else ""


def name_before(request: HttpRequest, table: Table) -> str:
    """Return the caller's name at the table that this one continues; "" without one."""
    before = Table.objects.filter(again=table).first() if table.first_id else None
    seat = last_seat_of(request, before) if before else None
    return seat.name if seat else ""


def seated(request: HttpRequest, table: Table) -> Seat:
    """Return the caller's seat; raise `TableRefusal` if the caller does not sit there."""
    return or_raise(seat_of(request, table), TableRefusal("not_seated", status=403))
