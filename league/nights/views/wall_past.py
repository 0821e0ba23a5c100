"""What stood on the wall some seconds ago, for a video that is shown late.

Each step's picture is kept when a late page first asks in that step, and only then. What stood
before the first one asked, or while nobody did, was never kept: nothing is shown in its place.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe

STEP = 2
"""Seconds from one kept picture to the next, and from one question of a late page to the next."""
MOST = 300
"""The longest delay, in seconds."""
GAP = 16
"""For so many seconds a picture stands for the moments after it of which none was kept."""


def shown(of: str, delay: int, draw: Callable[[], str]) -> SafeString:
    """Keep what `draw` shows now, and return what stood at least `delay` seconds ago.

    "" where nothing was kept.
    """
    now = int(time.time()) // STEP
    if cache.get(key := _key(of, now)) is None:
        cache.add(key, draw(), MOST + GAP + 2 * STEP)
    newest = now - (-(-delay // STEP)) - 1
    keys = [_key(of, newest - back) for back in range(GAP // STEP)]
    found = cache.get_many(keys)
    return mark_safe(next((found[key] for key in keys if key in found), ""))


def _key(of: str, step: int) -> str:
    return f"wall-past:{of}:{step}"
