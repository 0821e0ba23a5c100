"""Pages of finished games: replay, record, and the proof that the deal was fair."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tables.models import Game, Table
from tables.numbers import whole_number
from tables.play.acts import advising
from tables.play.acts.advising import ADVISERS, AdviceQuestion
from tables.play.facts import archive, watched
from tables.play.pages import advice, replays
from tables.play.pages.advice import AdviceShown
from tables.refusals import TableRefusal
from tables.web import limits
from tables.web.access import must_see, seat_of, table_of, who


def _seen(request: HttpRequest, key: str) -> Table:
    """Return the table; raise `Http404` for a visitor who may not see its money."""
    table = table_of(key)
    must_see(table, seat_of(request, table), **who(request, key))
    return table


def _finished(request: HttpRequest, key: str, number: int) -> Game:
    """Return a finished game; raise `Http404` for any other."""
    table = _seen(request, key)
    game = table.games.filter(no=number, over_at__isnull=False).first()
    if game is None or _is_ahead(request, table, game):
        raise Http404
    return game


def _revealed(request: HttpRequest, key: str, number: int) -> Game:
    """Return a game whose secret is public: finished, or void because its table was closed."""
    table = _seen(request, key)
    closed = table.status == Table.Status.CLOSED
    game = table.games.filter(no=number, dealt_at__isnull=False).first()
    if game is None or not (closed or game.over_at) or _is_ahead(request, table, game):
        raise Http404
    return game


def _is_ahead(request: HttpRequest, table: Table, game: Game) -> bool:
    """Return whether the game ended later than this visitor's delayed view of the table.

    Nobody, not even its players, looks again at cards that others still play.
    """
    game.table = table
    if not game.is_told:
        return True
    if not (table.watch_delay and game.over_at):
        return False
    return game.over_at > watched.seen_until(table, seat_of(request, table))


@require_GET
def replay(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return a game at a step, with all hands; htmx gets the board or the advice alone."""
    game = _finished(request, key, number)
    body = archive.record(game)
    last = len(body["actions"])
    at = min(whole_number(request.GET.get("step"), 5) or 0, last)
    context: dict[str, Any] = {"game": game, "table": game.table, "advisers": ADVISERS}
    context |= {"step": at, "last": last, "asked": _asked(request, game, body, at)}
    htmx = request.htmx  # type: ignore[attr-defined]
    if htmx.target == "advice":
        return render(request, "components/advice.html", context | {"address": request.path})
    context |= replays.replay_page(body, at)
    return render(request, f"tables/replay.html{'#board' if htmx else ''}", context)


def _asked(request: HttpRequest, game: Game, body: dict[str, Any], step: int) -> AdviceShown | None:
    """Return the advice of the requested bot, asking it if nobody has; None without a bot."""
    bot = request.GET.get("bot", "")
    if bot not in ADVISERS or step >= len(body["actions"]):
        return None
    question = AdviceQuestion(game.pk, game.commitment, step, bot)
    try:
        if advising.found(question) is None:
            limits.check(request, "advice")
            advising.ask(question)
    except TableRefusal as error:
        return AdviceShown(bot, sentence=error.text)
    return advice.asked(question, body)


@require_GET
def record(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the game record as a file (docs/records.md)."""
    game = _finished(request, key, number)
    text = json.dumps(archive.record(game), ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{key}-{number}.json"'
    return response


@require_GET
def fair(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the page with the revealed secret, on which the reader's browser repeats the deal."""
    game = _revealed(request, key, number)
    context = {"game": game, "table": game.table, "proof": archive.proof(game)}
    return render(request, "tables/fair.html", context)
