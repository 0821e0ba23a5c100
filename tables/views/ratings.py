"""The ratings of those who play rated games."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tables.selectors import ratings as selector


@require_GET
def ratings(request: HttpRequest) -> HttpResponse:
    """Return who is how strong, and the reader's own games."""
    context = {"rows": selector.ratings(request.user), "games": selector.games_of(request.user)}
    return render(request, "tables/ratings.html", context)
