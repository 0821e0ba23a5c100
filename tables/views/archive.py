"""Games that are over: replay, record, and the proof that the deal was fair."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tables import limits
from tables.access import seat_of, table_of
from tables.models import Game, Table
from tables.numbers import whole_number
from tables.refusals import TableRefusal
from tables.selectors import archive, watched
from tables.selectors.advice import ADVISERS


def _finished(request: HttpRequest, key: str, number: int) -> Game:
    """Return a game that is over; anything else is not there for anyone."""
    table = table_of(key)
    game = table.games.filter(no=number, over_at__isnull=False).first()
    if game is None or _is_ahead(request, table, game):
        raise Http404
    game.table = table
    return game


def _revealed(request: HttpRequest, key: str, number: int) -> Game:
    """Return a game whose secret is open: over, or void because its table was closed."""
    table = table_of(key)
    closed = table.status == Table.Status.CLOSED
    game = table.games.filter(no=number, dealt_at__isnull=False).first()
    if game is None or not (closed or game.over_at) or _is_ahead(request, table, game):
        raise Http404
    game.table = table
    return game


def _is_ahead(request: HttpRequest, table: Table, game: Game) -> bool:
    """Whether the game ended after what this visitor is shown of its table."""
    if not (table.watch_delay and game.over_at):
        return False
    return game.over_at > watched.seen_until(table, seat_of(request, table))


@require_GET
def replay(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return a game step by step, with all hands."""
    game = _finished(request, key, number)
    at = whole_number(request.GET.get("step"), 5)
    bot, refused = _adviser(request)
    context: dict[str, Any] = {"game": game, "table": game.table, "refused": refused}
    context |= archive.replay_page(game, at, bot)
    partial = "#board" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"tables/replay.html{partial}", context)


def _adviser(request: HttpRequest) -> tuple[str, str]:
    """Return the bot that is asked for advice, or why none is."""
    bot = request.GET.get("bot", "")
    if bot not in ADVISERS:
        return "", ""
    try:
        limits.check(request, "advice")
    except TableRefusal as error:
        return "", error.text
    return bot, ""


@require_GET
def record(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the game as a record to keep (docs/records.md)."""
    game = _finished(request, key, number)
    text = json.dumps(archive.record(game), ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{key}-{number}.json"'
    return response


@require_GET
def fair(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the revealed secret, and the same cards dealt from it in the reader's browser."""
    game = _revealed(request, key, number)
    return render(
        request, "tables/fair.html", {"game": game, "table": game.table} | archive.proof(game)
    )
