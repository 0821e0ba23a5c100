"""Finding players, events and clubs from every page."""

from __future__ import annotations

from contextlib import suppress

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from redis.exceptions import RedisError

from league.selectors import search as selector

SEARCHES, SECONDS = 120, 60


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """What has the words of `q` in its name, as far as the visitor may see it."""
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
    """Counts this search; true when its address has searched too often within a minute."""
    key = f"searches:{get_adapter().get_client_ip(request)}"
    with suppress(RedisError, ValueError):  # Without the cache nobody is slowed down.
        cache.add(key, 0, SECONDS)
        return int(cache.incr(key)) > SEARCHES
    return False
