"""A player's requests during a game: moves, trades, hints, parts of the deal."""

from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from accounts.addresses import prefix_of
from engine.rules.actions import SeatAction
from tables.base import tokens
from tables.base.lookup import or_raise
from tables.chairs.acts import shared_places
from tables.models import Seat, Table
from tables.numbers import whole_number
from tables.play.acts import fast_move, games
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tables.play.pages import chairs
from tables.refusals import Stale, TableRefusal
from tables.views.base import answering, no_store
from tables.views.chairs import remember_device
from tables.web import limits
from tables.web.access import device_of, place_of, seat_of, seated, table_of, who
from tables.web.forms import MixForm, TradeForm
from tables.web.sent import sent_action, take_trade_step


@require_POST
@answering
def act(request: HttpRequest, key: str) -> Table:
    """Play, pass, ask, give or return cards; a repeated post acts once.

    Turns limit how often someone can move, so the rate limit counts only other requests.
    """
    position, seat = place_of(key, **who(request, key))
    do, rank = request.POST.get("do", ""), request.POST.get("rank", "")
    return take(request, position, seat, sent_action(seat.no, do, _picked(request), rank))


def take(request: HttpRequest, position: Position, seat: Seat, action: SeatAction) -> Table:
    """Carry out the caller's action in the state whose version was posted; return the table."""
    move = _move(request, action)
    with suppress(TableRefusal):
        if moved := fast_move.take(position, seat, **move):
            return moved.table
    limits.check(request, "act")
    return games.act(table_id=position.table.pk, seat_id=seat.pk, **move)


@require_POST
@answering
def answer(request: HttpRequest, key: str) -> None:
    """Declare an instant win or decline, in private."""
    table = table_of(key)
    games.answer(
        table_id=table.pk,
        seat_id=seated(request, table).pk,
        declare=request.POST.get("declare") == "yes",
    )


@require_POST
@answering
def trade(request: HttpRequest, key: str) -> None:
    """Offer cards, answer an offer, agree to it, end it, or finish trading."""
    seat = seated(request, table_of(key))
    limits.check(request, "act")
    form = TradeForm(request.POST)
    if not form.is_valid():
        raise TableRefusal("no_action")
    do, _, given = form.cleaned_data["do"].partition(":")
    take_trade_step(
        {"table_id": seat.table_id, "seat_id": seat.pk},
        do,
        whole_number(given, 9),
        to=form.cleaned_data["to"],
        cards=_picked(request),
        want=form.cleaned_data["want"],
        client_id=_client_id(request),
    )


@require_POST
@answering
def mix(request: HttpRequest, key: str) -> HttpResponse:
    """Store a browser's part in the next deal, and return the deal's state."""
    table = table_of(key)
    seat = seated(request, table)
    limits.check(request, "act")
    form = MixForm(request.POST)
    if not form.is_valid():
        raise TableRefusal("no_action")
    found = games.take_part(table_id=table.pk, seat_id=seat.pk, **form.mine())
    answer = no_store(JsonResponse(found._asdict()))
    if not table.is_for_members:
        return answer
    device = device_of(request) or tokens.new_token()
    shared_places.note(table=table, seat_id=seat.pk, device=device, network=prefix_of(request))
    return remember_device(answer, device)


@require_GET
def hints(request: HttpRequest, key: str) -> HttpResponse:
    """Return every play that the caller may make now, as lists of cards."""
    table = table_of(key)
    seat = seat_of(request, table)
    plays = chairs.hints(positions.of(table), seat) if seat else []
    return no_store(JsonResponse({"plays": plays}))


def _client_id(request: HttpRequest) -> str:
    """Return the browser's idempotency key, if it sent one."""
    return request.POST.get("client_id", "")[:40]


def _picked(request: HttpRequest) -> str:
    """Return the cards picked in the hand, as they were sent."""
    return " ".join(request.POST.getlist("cards"))[:400]


def _move(request: HttpRequest, action: SeatAction) -> dict[str, Any]:
    """Return the arguments of a move; raise `Stale` if the version is missing."""
    version = or_raise(whole_number(request.POST.get("version"), 9), Stale())
    return {
        "expected": version,
        "client_id": _client_id(request) or f"version-{version}",
        "action": action,
    }
