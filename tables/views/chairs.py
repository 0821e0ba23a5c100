"""Views for seats: sitting down, getting up, and dealing."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.addresses import prefix_of
from accounts.sessions import account_of
from tables.base import tokens
from tables.chairs.acts import arrangements, seats, shared_places
from tables.models import Table
from tables.numbers import whole_number
from tables.people.acts import newcomers
from tables.play.acts import absence, games
from tables.play.facts import positions
from tables.refusals import TableRefusal
from tables.views.base import Response, answering
from tables.web import limits
from tables.web.access import DEVICE, cookie_name, device_of, seat_of, seated, table_of
from tables.web.forms import SitForm

MONTH = 30 * 24 * 3600


def remember(response: Response, table: Table, token: str) -> Response:
    """Store a guest's secret in their browser, for this table's pages only."""
    path = reverse("tables:table", args=[table.key])
    return _with_secret(response, cookie_name(table.key), token, 1, path) if token else response


def remember_device(response: Response, device: str) -> Response:
    """Store the browser's secret for all tables."""
    return _with_secret(response, DEVICE, device, 12, "/")


def _with_secret(response: Response, name: str, secret: str, months: int, path: str) -> Response:
    """Store a secret in a cookie that scripts cannot read."""
    response.set_cookie(
        name,
        secret,
        max_age=months * MONTH,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def refusal_of(form: SitForm) -> TableRefusal:
    """Return why nobody may sit down with this form."""
    if not form.has_error("name"):
        return TableRefusal("no_such_chair", status=404)
    is_house = form.has_error("name", "house_name")
    return TableRefusal("house_name" if is_house else "no_name", status=422 if is_house else 404)


@require_POST
@answering
def sit(request: HttpRequest, key: str) -> HttpResponse | None:
    """Take a seat; a guest's secret goes into a cookie."""
    table = table_of(key)
    if seat_of(request, table):
        raise TableRefusal("sits_already")
    limits.check(request, "sit")
    form = SitForm(request.POST)
    if not form.is_valid():
        raise refusal_of(form)
    user = account_of(request)
    data = form.cleaned_data
    device = device_of(request) or tokens.new_token()
    where = {"device": device, "network": prefix_of(request)}
    taken, token = seats.sit(
        table_id=table.pk, no=data["no"], name=data["name"], user=user, **where
    )
    shared_places.note(table=table, seat_id=taken.pk, **where)
    return remember_device(remember(redirect("tables:table", table.key), table, token), device)


@require_POST
@answering
def bots(request: HttpRequest, key: str) -> None:
    """Fill the empty seats with bots and deal; only the host may."""
    seat = seated(request, table_of(key))
    seats.fill_with_bots(table_id=seat.table_id, by=seat.pk)
    if arrangements.say_ready(seat_id=seat.pk):
        games.deal_asked(table_id=seat.table_id)


@require_POST
@answering
def deal(request: HttpRequest, key: str) -> None:
    """Ask for the next game, and deal it once all players have asked."""
    seat = seated(request, table_of(key))
    expected = whole_number(request.POST.get("version"), 9)
    if arrangements.say_ready(seat_id=seat.pk):
        games.deal_asked(table_id=seat.table_id, expected=expected)


@require_POST
@answering
def company(request: HttpRequest, key: str) -> None:
    """Wait for other people instead of the next game with bots."""
    newcomers.wait_for_company(seat_id=seated(request, table_of(key)).pk)


@require_POST
@answering
def leave(request: HttpRequest, key: str) -> None:
    """Get up; a house bot plays on in an assigned seat."""
    table = table_of(key)
    games.leave(table=table, seat_id=seated(request, table).pk)


@require_POST
@answering
def stay(request: HttpRequest, key: str) -> None:
    """Cancel leaving, and take the seat back from a bot."""
    games.stay(seat_id=seated(request, table_of(key)).pk)


@require_POST
@answering
def away(request: HttpRequest, key: str) -> None:
    """Sit out: a bot plays for the seat until its player is back."""
    games.sit_out(seat_id=seated(request, table_of(key)).pk)


@require_POST
@answering
def help_out(request: HttpRequest, key: str, number: int, do: str) -> Table:
    """Act for an absent player: wait, skip, put in a bot, give or free the seat."""
    table = table_of(key)
    return absence.act_for(table_id=table.pk, by=seated(request, table).pk, no=number, do=do)


@require_POST
@answering
def ask(request: HttpRequest, key: str) -> HttpResponse:
    """Ask for one's seat from another browser, which gets it if a player agrees."""
    table = table_of(key)
    if seat_of(request, table):
        raise TableRefusal("sits_already")
    limits.check(request, "sit")
    no = whole_number(request.POST.get("no"), 1)
    secret = absence.claim(table_id=table.pk, no=-1 if no is None else no)
    return remember(redirect("tables:table", key), table, secret)


@require_POST
@answering
def again(request: HttpRequest, key: str) -> HttpResponse | None:
    """Reopen a closed table with the same rules; a second call returns the same new table."""
    limits.check(request, "open")
    return redirect("tables:table", seats.open_again(table_id=table_of(key).pk).key)


@require_GET
def claim(request: HttpRequest, key: str, token: str) -> HttpResponse:
    """Store the secret of a guest's personal link, so that this browser has the seat too.

    The browser of one whose turn comes, at a table with rotation or as a substitute, stores it too.
    """
    table = table_of(key)
    known = positions.of(table).find(token=token) is not None
    comes = table.rotates or table.successors.filter(token_hash=tokens.hash_of(token)).exists()
    waits = comes and seat_of(request, table) is None
    return remember(redirect("tables:table", key), table, token if known or waits else "")
