"""Slows down who tries secret addresses at random."""

from __future__ import annotations

from contextlib import suppress

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

MISSES, SECONDS = 30, 600


def too_many(request: HttpRequest) -> bool:
    """Whether this address has tried so many unknown secrets that it must wait."""
    try:
        return int(cache.get(_key(request), 0)) >= MISSES
    except RedisError:  # Entering results goes on; nobody guesses 130 bits meanwhile.
        return False


def note_miss(request: HttpRequest) -> None:
    """Counts a secret that no link ever had."""
    key = _key(request)
    with suppress(RedisError, ValueError):  # ValueError: it expired in between.
        if not cache.add(key, 1, SECONDS):
            cache.incr(key)


def _key(request: HttpRequest) -> str:
    return f"link-misses:{get_adapter().get_client_ip(request)}"
