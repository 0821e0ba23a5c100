"""A player's requests during a game: moves, trades, hints, parts of the deal."""

from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from accounts.addresses import prefix_of
from engine.rules.actions import ActionError, SeatAction, action_from_json
from engine.rules.cards import CardError, parse_cards
from tables.base import tokens
from tables.chairs.acts import shared_places
from tables.models import Seat, Table
from tables.numbers import whole_number
from tables.play.acts import fast_move, games, trades
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tables.play.pages import chairs
from tables.refusals import Stale, TableRefusal
from tables.views.base import answering, no_store
from tables.views.chairs import remember_device
from tables.web import limits
from tables.web.access import device_of, place_of, seat_of, seated, table_of, who
from tables.web.forms import MixForm, TradeForm

DOES = ("play", "lock", "pass", "return", "give", "ask")


@require_POST
@answering
def act(request: HttpRequest, key: str) -> Table:
    """Play, pass, ask, give or return cards; a repeated post acts once.

    Turns limit how often someone can move, so the rate limit counts only other requests.
    """
    position, seat = place_of(key, **who(request, key))
    return take(request, position, seat, _action(request, seat.no))


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
    table = table_of(key)
    seat = seated(request, table)
    limits.check(request, "act")
    form = TradeForm(request.POST)
    if not form.is_valid():
        raise TableRefusal("no_action")
    do, _, given = form.cleaned_data["do"].partition(":")
    number = whole_number(given, 9)
    who = {"table_id": table.pk, "seat_id": seat.pk}
    if do in ("ready", "not_ready"):
        trades.ready(**who, yes=do == "ready")
    elif do == "offer":
        _offer(request, form, who)
    elif number is None:
        raise TableRefusal("no_action")
    elif do == "answer":
        trades.answer(**who, number=number, cards=_picked(request))
    elif do == "agree":
        trades.agree(**who, number=number, client_id=_client_id(request, f"trade-{number}"))
    elif do == "end":
        trades.end(**who, number=number)
    else:
        raise TableRefusal("no_action")


def _offer(request: HttpRequest, form: TradeForm, who: dict[str, int]) -> None:
    data, cards = form.cleaned_data, _picked(request)
    if data["to"] is None:
        raise TableRefusal("no_partner")
    want = len(cards) if data["want"] is None else data["want"]
    trades.offer(**who, to=data["to"], cards=cards, want=want)


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


def _client_id(request: HttpRequest, otherwise: str) -> str:
    """Return the browser's idempotency key, or `otherwise` without one."""
    return request.POST.get("client_id", "")[:40] or otherwise


def _picked(request: HttpRequest) -> tuple[int, ...]:
    """Return the cards picked in the hand; raise `TableRefusal` for invalid ones."""
    try:
        return parse_cards(" ".join(request.POST.getlist("cards"))[:400])
    except CardError:
        raise TableRefusal("no_action") from None


def _move(request: HttpRequest, action: SeatAction) -> dict[str, Any]:
    """Return the arguments of a move; raise `Stale` if the version is missing."""
    version = whole_number(request.POST.get("version"), 9)
    if version is None:
        raise Stale
    return {
        "expected": version,
        "client_id": _client_id(request, f"version-{version}"),
        "action": action,
    }


def _action(request: HttpRequest, seat: int) -> SeatAction:
    """Return the engine's action; raise `TableRefusal` if it is invalid."""
    do = request.POST.get("do", "")
    cards = " ".join(request.POST.getlist("cards"))[:400]
    if do not in DOES:
        raise TableRefusal("no_action")
    if do in ("play", "lock", "return", "give") and not cards:
        raise TableRefusal("no_cards")
    body = {"seat": seat, "do": do, "cards": cards, "rank": request.POST.get("rank", "")}
    try:
        return action_from_json(body)
    except ActionError:
        raise TableRefusal("no_action") from None
