"""Who asks, at which table, from which seat: the one door of pages, API and streams."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from accounts.sessions import account_of
from tables import hosts
from tables.models import Seat, Table
from tables.refusals import TableRefusal
from tables.services import arrangement_terms, table_state
from tables.services.table_state import Position

DEVICE = "device"


def table_of(key: str) -> Table:
    table: Table = get_object_or_404(table_state.rows(), key=key)
    return table


def cookie_name(key: str) -> str:
    return f"seat-{key}"


def seat_of(request: HttpRequest, table: Table) -> Seat | None:
    """Return the asker's seat: by account, or by the secret in the browser."""
    return table_state.of(table).find(**who(request, table.key))


def must_see(table: Table, seat: Seat | None, *, user: Any, token: str = "") -> None:
    """Raise Http404 at a table for money for those who neither sit there nor may see money."""
    agreed = arrangement_terms.of(table)
    if seat is not None or agreed is None or not agreed.unit:
        return
    if not hosts.host().shows_money(table, user, token):
        raise Http404


def device_of(request: HttpRequest) -> str:
    """Return the secret by which this browser is known at tables; "" for a new one."""
    return request.COOKIES.get(DEVICE, "")[:64]


def who(request: HttpRequest, key: str) -> dict[str, Any]:
    """How a position finds the asker."""
    return {"user": account_of(request), "token": request.COOKIES.get(cookie_name(key), "")}


def place_of(key: str, *, user: Any = None, token: str = "") -> tuple[Position, Seat]:
    """Where someone sits, at a table as it is or as it was a moment ago.

    It is the past only where that knows the seat already: services find out. `TableRefusal` for
    someone who does not sit there.
    """
    known = table_state.latest(key)
    if known and (seat := known.find(user=user, token=token)):
        return known, seat
    found = table_state.of(table_of(key))
    if seat := found.find(user=user, token=token):
        return found, seat
    raise TableRefusal("not_seated", status=403)


def name_of(request: HttpRequest) -> str:
    """Return the name that is proposed to a new player."""
    user = request.user
    return user.email.split("@")[0][:40] if user.is_authenticated else _("Guest")


def seated(request: HttpRequest, table: Table) -> Seat:
    """Return the asker's seat; `TableRefusal` for someone who does not sit there."""
    seat = seat_of(request, table)
    if seat is None:
        raise TableRefusal("not_seated", status=403)
    return seat
