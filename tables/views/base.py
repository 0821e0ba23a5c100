"""What every page of a table begins and ends with."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from engine.errors import IllegalAction
from tables.live import tokens
from tables.live.shown import shown as shown_board
from tables.models import Seat, Table
from tables.refusals import text_of
from tables.selectors import chairs
from tables.services import positions
from tables.services.errors import Refused, Stale
from tables.services.positions import Position

View = Callable[..., HttpResponse]
Posted = Callable[[HttpRequest, str], HttpResponse | Table | None]
Response = TypeVar("Response", bound=HttpResponse)


def table_of(key: str) -> Table:
    table: Table = get_object_or_404(positions.rows(), key=key)
    return table


def cookie_name(key: str) -> str:
    return f"seat-{key}"


def seat_of(request: HttpRequest, table: Table) -> Seat | None:
    """The seat of whoever asks: by account, or by the secret in the browser."""
    return positions.of(table).find(**who(request, table.key))


def who(request: HttpRequest, key: str) -> dict[str, Any]:
    """How a position finds whoever asks."""
    user = request.user if request.user.is_authenticated else None
    return {"user": user, "token": request.COOKIES.get(cookie_name(key), "")}


def place_of(key: str, *, user: Any = None, token: str = "") -> tuple[Position, Seat]:
    """Where somebody sits, at a table as it is or as it was a moment ago.

    It is the past only where that knows the seat already: services find out. `Refused` for
    somebody who does not sit there.
    """
    known = positions.latest(key)
    if known and (seat := known.find(user=user, token=token)):
        return known, seat
    found = positions.of(table_of(key))
    if seat := found.find(user=user, token=token):
        return found, seat
    raise Refused("not_seated")


def name_of(request: HttpRequest) -> str:
    """The name that is proposed to whoever sits down."""
    user = request.user
    return user.email.split("@")[0][:40] if user.is_authenticated else _("Guest")


def parts(request: HttpRequest, table: Table) -> dict[str, Any]:
    """The public board and the viewer's own part."""
    position = positions.of(table)
    shown = shown_board(position)
    return {
        "table": position.table,
        "board": shown.board,
        "board_html": shown.html,
        "own": chairs.chair(position, shown.board, seat_of(request, position.table)),
        "own_name": name_of(request),
    }


def as_json(request: HttpRequest, table: Table, status: int = 200, **more: Any) -> JsonResponse:
    """What a page with JavaScript puts in place: both parts, the version, a token to listen."""
    context = parts(request, table)
    found = {
        "version": context["table"].version,
        "left": context["board"].milliseconds,
        "board": context["board_html"],
        "own": render_to_string("tables/own.html", context | _csrf(request), request=request),
        "token": tokens.make(context["table"]),
    }
    return no_store(JsonResponse(found | more, status=status))


def _csrf(request: HttpRequest) -> dict[str, Any]:
    """The token that a form came with goes back with the forms that take its place.

    Django takes 32 numbers from the system for each new one, and with each of them threads change
    places: a fifth of a move's time went there.
    """
    token = request.POST.get("csrfmiddlewaretoken")
    return {"csrf_token": token} if token else {}


def no_store(response: Response) -> Response:
    response["Cache-Control"] = "no-store, private"
    return response


def wants_json(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def answering(view: Posted) -> View:
    """A POST that answers scripts with the fresh table and others by going back to the page.

    What is refused is said in words: 409 where the table has moved on, 403 for strangers to the
    table, else 422.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, key: str) -> HttpResponse:
        reason, status, answer = "", 200, None
        try:
            answer = view(request, key)
        except (Refused, IllegalAction) as error:
            reason, status = text_of(error), _status(error)
        if isinstance(answer, HttpResponse):
            return answer
        if wants_json(request):
            return as_json(request, answer or table_of(key), status, reason=reason)
        if reason and status == 403:
            return HttpResponse(reason, status=403, content_type="text/plain; charset=utf-8")
        if reason:
            messages.warning(request, reason)
        return redirect("tables:table", key)

    return wrapped


def _status(error: Exception) -> int:
    if isinstance(error, Stale):
        return 409
    return 403 if isinstance(error, Refused) and error.code == "not_seated" else 422


def seated(request: HttpRequest, table: Table) -> Seat:
    """The seat of whoever asks; `Refused` for somebody who does not sit there."""
    seat = seat_of(request, table)
    if seat is None:
        raise Refused("not_seated")
    return seat
