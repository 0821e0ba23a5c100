"""How many watch each table, in all web processes: each says its own number now and then."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping

from django.core.cache import cache

SLOTS = tuple(f"watching:{number}" for number in range(16))
"""Where processes leave their numbers; one that finds no room is not counted."""
EVERY = 5.0
KEPT = 20
"""Seconds between two times, and until the number of a process that fell silent is forgotten."""
ME = secrets.token_urlsafe(9)


def share(own: Mapping[str, int]) -> Counter[str]:
    """Leave this process's numbers by tables' keys for the others; returns theirs together.

    Two that take the same free slot at once find another one the next time.
    """
    found = cache.get_many(SLOTS)
    slot = next((name for name, left in found.items() if left["by"] == ME), None)
    slot = slot or next((name for name in SLOTS if name not in found), None)
    if slot:
        cache.set(slot, {"by": ME, "tables": dict(own)}, KEPT)
    return _together(left["tables"] for left in found.values() if left["by"] != ME)


def watchers() -> Counter[str]:
    """Return how many watch each table, by its key."""
    return _together(left["tables"] for left in cache.get_many(SLOTS).values())


def _together(numbers: Iterable[Mapping[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for tables in numbers:
        found.update(tables)
    return found
