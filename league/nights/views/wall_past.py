"""Earlier states of the big screen, for a video stream with a delay.

A step's picture is stored when a delayed page first asks in that step, and only then. For moments
before the first request, or without any, there is no picture and the page shows nothing.
"""

import time
from collections.abc import Callable

from django.utils.safestring import SafeString, mark_safe

from league.base.drawn_html import cache

STEP = 2
"""Seconds between stored pictures, and between the requests of a delayed page."""
MOST = 300
"""The longest delay, in seconds."""
GAP = 16
"""For how many seconds a picture also serves later moments that have none."""


def shown(of: str, delay: int, draw: Callable[[], str]) -> SafeString:
    """Store what `draw` shows now, and return the picture from at least `delay` seconds ago.

    "" if none was stored.
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
