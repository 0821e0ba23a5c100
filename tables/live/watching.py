"""Who has which streams open, as all web processes share it through the cache.

That is the number of spectators of each table, and where each player's newest stream is.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping

from django.core.cache import cache

from tables.live import tokens

SLOTS = tuple(f"watching:{number}" for number in range(16))
"""The cache keys for the processes' numbers; a process without a free one is not counted."""
EVERY = 5.0
KEPT = 20
"""Seconds between two updates (`EVERY`), and until a silent process's numbers expire (`KEPT`)."""
ME = secrets.token_urlsafe(9)


def share(own: Mapping[str, int]) -> Counter[str]:
    """Store this process's numbers by table key, and return the sum of the others'.

    If two processes take the same free slot at once, the one overwritten takes another next time.
    """
    found = cache.get_many(SLOTS)
    slot = next((name for name, left in found.items() if left["by"] == ME), None)
    slot = slot or next((name for name in SLOTS if name not in found), None)
    if slot:
        cache.set(slot, {"by": ME, "tables": dict(own)}, KEPT)
    return _together(left["tables"] for left in found.values() if left["by"] != ME)


def watchers() -> Counter[str]:
    """Return the number of spectators by table key."""
    return _together(left["tables"] for left in cache.get_many(SLOTS).values())


def come(seat: int, process: str) -> None:
    """Store that the player's newest stream is in this process; it ends before its token."""
    cache.set(f"stream:{seat}", process, tokens.SECONDS)


def is_elsewhere(seat: int, process: str) -> bool:
    """Return whether the player's newest stream is in another process."""
    return bool(cache.get(f"stream:{seat}", process) != process)


def _together(numbers: Iterable[Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for tables in numbers:
        found.update(tables)
    return found
