"""Decisions to solve: one's own mistakes once more, and the puzzle of the day."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import account_of
from engine.rules.actions import SeatAction
from tables.base.lookup import or_404
from tables.models import Game, Puzzle
from tables.play.facts import archive
from tables.reviews.acts import entered
from tables.reviews.acts import puzzles as acts
from tables.reviews.facts import choices
from tables.reviews.facts import puzzles as facts
from tables.reviews.pages import asked
from tables.reviews.pages import puzzles as pages
from tables.reviews.pages.review import ReviewPage, page_of, review_page
from tables.views.archive import finished
from tables.web.access import who

MOVES = ("GET", "HEAD", "POST")


@require_http_methods(MOVES)
def try_again(request: HttpRequest, key: str, number: int, step: int) -> HttpResponse:
    """Let a player choose again at one of the own decisions; the answer comes after the choice."""
    game = finished(request, key, number)
    page = review_page(game, archive.record(game), **who(request, key))
    return _tried(request, page, step, reverse("tables:replay", args=[key, number]), game)


@require_http_methods(MOVES)
def try_entered(request: HttpRequest, key: str, step: int) -> HttpResponse:
    """Let one choose again at a decision of an entered game."""
    found = or_404(entered.find(key))
    page = page_of(found.record, found.review, found.seat)
    return _tried(request, page, step, reverse("tables:entered_review", args=[key]))


def _tried(
    request: HttpRequest, page: ReviewPage, step: int, back: str, game: Game | None = None
) -> HttpResponse:
    decision = or_404(page.decision_at(step))
    chosen, context = _chosen(request, page.record, step)
    context |= {"back": back, "asked": asked.asked_at(page.record, step, page.known)}
    if chosen is not None:
        if game is not None and request.user.is_authenticated:
            acts.attempt(
                user=request.user,
                game_id=game.pk,
                step=step,
                chosen=chosen,
                right=choices.is_right(decision, chosen),
                today=timezone.localdate(),
            )
        context["tried"] = asked.tried(decision, chosen)
        context["options"] = asked.options(decision, len(page.names), chosen)
        context["why"] = asked.why(decision, page.walked.hands[step])
    return render(request, "tables/try.html", context)


@require_http_methods(MOVES)
def today(request: HttpRequest) -> HttpResponse:
    """Show the puzzle of the day."""
    return _puzzle(request, facts.of_day(timezone.localdate()))


@require_http_methods(MOVES)
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a puzzle of a day that has begun somewhere."""
    return _puzzle(request, or_404(facts.published(pk)))


def _puzzle(request: HttpRequest, found: Puzzle | None) -> HttpResponse:
    """Show a puzzle, and after a choice the answer: to members also when they come back."""
    user, now = account_of(request), timezone.localdate()
    if found is None:
        return render(request, "tables/puzzle.html", {"page": pages.without_puzzle(user, now)})
    record = archive.record(found.game)
    chosen, context = _chosen(request, record, found.step)
    if chosen is not None and user is not None:
        acts.attempt(
            user=user,
            game_id=found.game_id,
            step=found.step,
            chosen=chosen,
            right=choices.is_right(found.decision, chosen),
            today=now,
            puzzle=found,
        )
    context["page"] = pages.puzzle_page(found, record, user, chosen, now)
    return render(request, "tables/puzzle.html", context)


def _chosen(
    request: HttpRequest, record: Mapping[str, Any], step: int
) -> tuple[SeatAction | None, dict[str, Any]]:
    """Return the legal choice that was sent, and whether one was sent that is not."""
    do = request.POST.get("do", "") if request.method == "POST" else ""
    chosen = choices.chosen_at(record, step, do, request.POST.getlist("cards")) if do else None
    return chosen, {"refused": request.method == "POST" and chosen is None}
