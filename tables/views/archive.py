"""Games that are over: replay, record, and the proof that the deal was fair."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tables import limits
from tables.access import must_see, seat_of, table_of, who
from tables.models import Game, Table
from tables.numbers import whole_number
from tables.refusals import TableRefusal
from tables.selectors import advice, archive, replays, watched
from tables.selectors.advice import AdviceShown
from tables.services import advising
from tables.services.advising import ADVISERS, AdviceQuestion


def _seen(request: HttpRequest, key: str) -> Table:
    """Return the table, to those who may see what is paid there."""
    table = table_of(key)
    must_see(table, seat_of(request, table), **who(request, key))
    return table


def _finished(request: HttpRequest, key: str, number: int) -> Game:
    """Return a game that is over; anything else is not there for anyone."""
    table = _seen(request, key)
    game = table.games.filter(no=number, over_at__isnull=False).first()
    if game is None or _is_ahead(request, table, game):
        raise Http404
    game.table = table
    return game


def _revealed(request: HttpRequest, key: str, number: int) -> Game:
    """Return a game whose secret is open: over, or void because its table was closed."""
    table = _seen(request, key)
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
    """Return a game step by step, with all hands; to htmx its board or the bots' part alone."""
    game = _finished(request, key, number)
    kept = archive.record(game)
    last = len(kept["actions"])
    at = min(whole_number(request.GET.get("step"), 5) or 0, last)
    context: dict[str, Any] = {"game": game, "table": game.table, "advisers": ADVISERS}
    context |= {"step": at, "last": last, "asked": _asked(request, game, kept, at)}
    htmx = request.htmx  # type: ignore[attr-defined]
    if htmx.target == "advice":
        return render(request, "components/advice.html", context | {"address": request.path})
    context |= replays.replay_page(kept, at)
    return render(request, f"tables/replay.html{'#board' if htmx else ''}", context)


def _asked(request: HttpRequest, game: Game, kept: dict[str, Any], step: int) -> AdviceShown | None:
    """Ask the bot that the address names, where it has not been asked; None without one."""
    bot = request.GET.get("bot", "")
    if bot not in ADVISERS or step >= len(kept["actions"]):
        return None
    question = AdviceQuestion(game.pk, game.commitment, step, bot)
    try:
        if advising.found(question) is None:
            limits.check(request, "advice")
            advising.ask(question)
    except TableRefusal as error:
        return AdviceShown(bot, sentence=error.text)
    return advice.asked(question, kept)


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
