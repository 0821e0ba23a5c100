"""A rate limit against guessing the secrets of links."""

from contextlib import suppress

from django.core.cache import cache
from django.http import HttpRequest

from accounts.addresses import prefix_of

MISSES, SECONDS = 30, 600


def too_many(request: HttpRequest) -> bool:
    """Return whether the client's network has tried too many unknown secrets and must wait."""
    return int(cache.get(_key(request), 0)) >= MISSES


def note_miss(request: HttpRequest) -> None:
    """Count a try with a secret that no link ever had."""
    key = _key(request)
    with suppress(ValueError):  # The counter expired in between.
        if not cache.add(key, 1, SECONDS):
            cache.incr(key)


def _key(request: HttpRequest) -> str:
    return f"link-misses:{prefix_of(request)}"
