"""Slows down who tries secret addresses at random."""

from __future__ import annotations

from contextlib import suppress

from django.core.cache import cache
from django.http import HttpRequest

from accounts.addresses import prefix_of

MISSES, SECONDS = 30, 600


def too_many(request: HttpRequest) -> bool:
    """Whether this address has tried so many unknown secrets that it must wait."""
    return int(cache.get(_key(request), 0)) >= MISSES


def note_miss(request: HttpRequest) -> None:
    """Count a secret that no link ever had."""
    key = _key(request)
    with suppress(ValueError):  # It expired in between.
        if not cache.add(key, 1, SECONDS):
            cache.incr(key)


def _key(request: HttpRequest) -> str:
    return f"link-misses:{prefix_of(request)}"
