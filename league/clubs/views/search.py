"""The search for players, events and clubs on every page."""

from __future__ import annotations

from contextlib import suppress

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.addresses import prefix_of
from league.clubs.facts import search as selector

SEARCHES, SECONDS = 120, 60


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """Show the players, events and clubs that match `q` and that the visitor may see."""
    text = request.GET.get("q", "").strip()[: selector.LONGEST]
    context: dict[str, object] = {"q": text, "most": selector.MOST}
    status = 200
    if text and _too_often(request):
        context["wait"] = True
        status = 429
    elif text:
        user = request.user if request.user.is_authenticated else None
        context["found"] = selector.search(user, text)
    partial = "#results" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"search.html{partial}", context, status=status)


def _too_often(request: HttpRequest) -> bool:
    """Count this search; return whether its address exceeds the limit per minute."""
    key = f"searches:{prefix_of(request)}"
    with suppress(ValueError):  # The key may expire in between.
        cache.add(key, 0, SECONDS)
        return int(cache.incr(key)) > SEARCHES
    return False
