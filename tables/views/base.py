"""Helpers that all pages of a table share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts.sessions import account_of
from engine.rules.errors import IllegalAction
from tables.chairs.facts import seated
from tables.live import tokens
from tables.live.rendered import rendered_board
from tables.models import Seat, Table
from tables.play.facts import watched
from tables.play.pages import chairs
from tables.refusals import Refusal, refusal_of
from tables.web import drawn, old_pages
from tables.web.access import known_name, must_see, name_before, name_of, seat_of, table_of, who
from tables.web.addresses import address_of
from tables.web.scripts import wants_json

View = Callable[..., HttpResponse]
Posted = Callable[..., HttpResponse | Table | None]
Response = TypeVar("Response", bound=HttpResponse)


def parts(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Return the public board and the viewer's own part, each as data and as HTML."""
    asks = who(request, table.key)
    seat = seat_of(request, table)
    must_see(table, seat, **asks)
    position = watched.as_seen(table, seat)
    rendered = rendered_board(position)
    own = chairs.chair(position, rendered.board, seat, token=asks["token"])
    context = {
        "table": position.table,
        "board": rendered.board,
        "board_html": rendered.html,
        "own": own,
        "own_name": SimpleLazyObject(lambda: name_of(request)),
        "known_name": SimpleLazyObject(lambda: known_name(request) or name_before(request, table)),
        "barred": SimpleLazyObject(lambda: seated.why_no_member(table, account_of(request))),
        "address": SimpleLazyObject(
            lambda: address_of(request, reverse("tables:table", args=[table.shared_key]))
        ),
        "token": token_of(position.table, seat, **asks),
    }
    token = cast("str", SimpleLazyObject(lambda: _csrf(request)))
    return context | {"own_html": drawn.own(own, token, context)}


def as_json(request: HttpRequest, table: Table, status: int = 200, **more: Any) -> JsonResponse:
    """Return the data that scripts put into the page: both parts, the version, a stream token."""
    context = parts(request, table)
    found = {
        "version": context["table"].version,
        "left": context["board"].milliseconds,
        "board": context["board_html"],
        "own": context["own_html"],
        "token": context["token"],
    }
    return no_store(JsonResponse(found | more, status=status))


def token_of(table: Table, seat: Seat | None, *, user: Any, token: str) -> str:
    """Return the token for the page's stream; "" for a delayed page, which polls.

    The stream of a spectator who watches by an account, not by a seat's secret, looks at it again.
    """
    if seat is not None:
        return tokens.make(table, seat=seat.pk)
    if table.watch_delay:
        return ""
    return tokens.make(table, watcher=user.pk if table.terms and user and not token else 0)


def _csrf(request: HttpRequest) -> str:
    """Return the request's CSRF token for the new forms, so that Django makes no new one.

    For each new token Django reads 32 random numbers from the system, and each read switches
    threads: that took a fifth of a move's time. Without a form, as mostly for a spectator, none is
    asked for.
    """
    return request.POST.get("csrfmiddlewaretoken") or get_token(request)


def no_store(response: Response) -> Response:
    response["Cache-Control"] = "no-store, private"
    return response


def answering(view: Posted) -> View:
    """Return a POST view that answers scripts with the fresh table and redirects others to it.

    Both get the text of a refusal. The script of an old page, which cannot show the fresh table, is
    redirected too: it opens the page where a redirect ends.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, key: str, **more: Any) -> HttpResponse:
        reason, status, answer = "", 200, None
        try:
            answer = view(request, key, **more)
        except (Refusal, IllegalAction) as error:
            refused = refusal_of(error)
            reason, status = refused.text, status_of(refused)
        if isinstance(answer, HttpResponse):
            return answer
        there = redirect("tables:table", key)
        is_old = wants_json(request) and old_pages.is_old(request, there["Location"])
        if wants_json(request) and not is_old:
            return as_json(request, answer or table_of(key), status, reason=reason)
        if reason and status == 403 and not is_old:
            return HttpResponse(reason, status=403, content_type="text/plain; charset=utf-8")
        if reason:
            messages.warning(request, reason)
        if is_old:
            old_pages.note_renewed(there, there["Location"])
        return there

    return wrapped


def status_of(refused: Refusal) -> int:
    """Return the HTTP status of a refusal: 403 and 409 unchanged, 422 for any other."""
    return refused.status if refused.status in (403, 409) else 422
