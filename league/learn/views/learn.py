"""Views of the ten lessons, with cards to tap, and of the rules card. Nothing is stored."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from engine.rules import ruleset as engine_ruleset
from engine.rules.cards import CardError, parse_cards
from engine.rules.ruleset import Ruleset
from league.clubs.facts.club_rules import in_words
from league.clubs.forms.rules_choice import RULESET_NAMES
from league.learn.domain.lessons import (
    Lesson,
    MoveError,
    PlayedCards,
    Question,
    parse_moves,
    taught,
)
from league.learn.pages import lessons
from league.learn.pages.answers import USUAL
from tables.base import rulesets
from tables.base.lookup import or_404
from tables.numbers import whole_number


@require_GET
def course(request: HttpRequest) -> HttpResponse:
    """Show the lessons under the chosen rules; redirect to the rules card if they do not fit."""
    chosen = request.GET.get("rules", USUAL)
    rules = find_rules(chosen)
    if not taught(rules):
        return HttpResponseRedirect(reverse("rules_card", args=[chosen]))
    context = {"rules": rules, "lessons": lessons.first_sentences(rules)} | _choice(chosen)
    return render(request, "league/learn/course.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, rules: str, lesson: str) -> HttpResponse:
    """Show a step of a lesson; the engine checks cards that are sent by POST."""
    by = find_rules(rules)
    if not taught(by):
        return HttpResponseRedirect(reverse("rules_card", args=[rules]))
    found = or_404(lessons.find(by, lesson))
    data = request.POST if request.method == "POST" else request.GET
    step = whole_number(data.get("step", "1"), 2)
    if step is None or not 1 <= step <= len(found.steps):
        raise Http404
    try:
        exercise = _answered(request, by, found, step)
    except (MoveError, CardError):
        # A forged form, or a lesson that changed after the form was served.
        here = reverse("lesson", args=[rules, lesson])
        return HttpResponseRedirect(f"{here}?step={step}")
    context = {
        "key": rules,
        "rules": by,
        "lesson": lessons.lesson_page(by, found, step),
        "exercise": exercise,
    }
    partial = "#exercise" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"league/learn/lesson.html{partial}", context)


@require_GET
def rules_card(request: HttpRequest, rules: str) -> HttpResponse:
    """Show the rules in plain words to anyone with the URL."""
    by = find_rules(rules)
    return render(
        request,
        "league/learn/rules.html",
        {"card": in_words(by), "taught": taught(by)} | _choice(rules),
    )


def find_rules(key: str) -> Ruleset:
    """Return the preset with this key, or the frozen ruleset with this digest; else 404."""
    if key in engine_ruleset.preset_keys():
        return engine_ruleset.preset(key)
    return or_404(rulesets.find(key) if len(key) == 64 and key.isalnum() else None)


def _choice(chosen: str) -> dict[str, Any]:
    choices = [(key, RULESET_NAMES[key]) for key in engine_ruleset.preset_keys()]
    return {"key": chosen, "choices": choices}


def _answered(
    request: HttpRequest, rules: Ruleset, found: Lesson, step: int
) -> lessons.ExercisePage | lessons.QuestionPage:
    exercise = found.steps[step - 1]
    if isinstance(exercise, Question):
        given = request.POST.get("given") if request.method == "POST" else None
        known = [lessons.NEITHER, *map(str, range(len(exercise.hands)))]
        return lessons.question_page(exercise, given if given in known else None)
    if request.method != "POST":
        return lessons.exercise_page(exercise, rules, [])
    so_far = parse_moves(request.POST.get("moves", "")) if exercise.plays_on else []
    move = _move(request)
    if move is None:
        return lessons.exercise_page(exercise, rules, so_far, lessons.nothing_chosen())
    return lessons.exercise_page(exercise, rules, [*so_far, move])


def _move(request: HttpRequest) -> PlayedCards | None:
    """Return the tapped cards, an empty tuple for a pass, or None if no card was tapped."""
    if "pass" in request.POST:
        return ()
    return parse_cards(" ".join(request.POST.getlist("cards"))[:120]) or None
