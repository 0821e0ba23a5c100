"""What a player does in a game."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_POST

from engine.actions import ActionError, action_from_json
from tables.models import Table
from tables.numbers import whole_number
from tables.selectors import chairs
from tables.services import games
from tables.services.errors import Refused, Stale
from tables.views.base import answering, no_store, seat_of, seated, table_of

DOES = ("play", "lock", "pass", "return", "give", "ask")


@require_POST
@answering
def act(request: HttpRequest, table: Table) -> None:
    """Plays, passes, asks or returns; posting the same twice does it once."""
    seat = seated(request, table)
    version = whole_number(request.POST.get("version"), 9)
    if version is None:
        raise Stale
    games.act(
        table_id=table.pk,
        seat_id=seat.pk,
        expected=version,
        client_id=request.POST.get("client_id", "")[:40] or f"version-{version}",
        action=_action(request, seat.no),
    )


@require_POST
@answering
def answer(request: HttpRequest, table: Table) -> None:
    """Says privately whether the hand wins at once."""
    games.answer(
        table_id=table.pk,
        seat_id=seated(request, table).pk,
        declare=request.POST.get("declare") == "yes",
    )


@require_GET
def hints(request: HttpRequest, key: str) -> HttpResponse:
    """Every play that the asker may make now, as lists of cards; nobody else's."""
    table = table_of(key)
    seat = seat_of(request, table)
    try:
        plays = chairs.hints(table, seat) if seat else []
    except Stale:
        plays = []
    return no_store(JsonResponse({"plays": plays}))


def _action(request: HttpRequest, seat: int) -> dict[str, Any]:
    """The fields of the engine's action; `Refused` for what is none."""
    do = request.POST.get("do", "")
    cards = " ".join(request.POST.getlist("cards"))[:400]
    if do not in DOES:
        raise Refused("no_action")
    if do in ("play", "lock", "return", "give") and not cards:
        raise Refused("no_cards")
    body = {"seat": seat, "do": do, "cards": cards, "rank": request.POST.get("rank", "")}
    try:
        return action_from_json(body)._asdict()
    except ActionError:
        raise Refused("no_action") from None
