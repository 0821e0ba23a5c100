"""Pages of finished games: replay, record, and the proof that the deal was fair."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from engine.records import read
from tables.base.lookup import or_404
from tables.models import Game, Table
from tables.numbers import whole_number
from tables.play.facts import archive, proof, watched
from tables.play.pages import replays
from tables.reviews.acts import entered, making
from tables.reviews.pages.review import ReviewPage, page_of, review_page
from tables.web.access import must_see, seat_of, table_of, who


def _seen(request: HttpRequest, key: str) -> Table:
    """Return the table; raise `Http404` for a visitor who may not see its money."""
    table = table_of(key)
    must_see(table, seat_of(request, table), **who(request, key))
    return table


def finished(request: HttpRequest, key: str, number: int, *, or_secret: bool = False) -> Game:
    """Return a finished game; raise `Http404` for any other.

    With `or_secret` a player may know of the own game, though others still play its cards.
    """
    table = _seen(request, key)
    game = table.games.filter(no=number, over_at__isnull=False).first()
    if game is None or _is_ahead(request, table, game):
        own = game and or_secret and not game.is_told and seat_of(request, table)
        if game is None or not own:
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
    """Return a game's review at a step, all hands open; htmx gets the step's board alone.

    With `lines`, return three lines of it that stand below the result at the table.
    """
    game = finished(request, key, number, or_secret="lines" not in request.GET)
    if not game.is_told:
        return render(request, "tables/secret.html", {"game": game, "table": game.table})
    page = review_page(game, archive.record(game), **who(request, key))
    if page.is_waiting:
        making.ask(game=game)
    if "lines" in request.GET:
        if page.is_waiting and page.mine is not None:
            return HttpResponse(status=204)
        return render(request, "tables/review-lines.html", {"page": page})
    return _review(request, page, game=game, table=game.table, rules=game.table.ruleset.body)


@require_GET
def entered_review(request: HttpRequest, key: str) -> HttpResponse:
    """Return the review of an entered record for one who has it, at a step."""
    found = or_404(entered.find(key))
    page = page_of(found.record, found.review, found.seat)
    return _review(request, page, rules=read.ruleset_of(found.record))


def _review(request: HttpRequest, page: ReviewPage, **context: Any) -> HttpResponse:
    htmx, steps = request.htmx, "step" in request.GET  # type: ignore[attr-defined]
    if htmx and not steps and page.is_waiting:
        return HttpResponse(status=204)  # No news: whoever steps through the game goes on.
    at = whole_number(request.GET.get("step"), 5)
    context |= replays.replay_page(dict(page.record), at, page.known, plays="play" in request.GET)
    context["page"] = page
    at = context["step"]
    context |= {"chart": page.chart(at), "mistake": page.next_mistake(at)}
    context["trick"] = page.walked.trick_of(at - 1)
    part = "#board" if htmx and steps else ""
    return render(request, f"tables/review.html{part}", context)


@require_GET
def record(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the game record as a file (docs/records.md)."""
    text = json.dumps(archive.record(finished(request, key, number)), ensure_ascii=False, indent=2)
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{key}-{number}.json"'},
    )


@require_GET
def fair(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Return the page with the revealed secret, on which the reader's browser repeats the deal."""
    game = _revealed(request, key, number)
    context = {"game": game, "table": game.table, "proof": archive.proof(game)}
    return render(request, "tables/fair.html", context | proof.promised())
