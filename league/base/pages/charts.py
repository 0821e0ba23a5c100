"""Geometry of a small SVG chart. Every page is readable without their colours."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 240.0, 60.0


class Band(NamedTuple):
    """A curve with its uncertainty: the SVG points of the middle and of the area around it.

    The chart reaches from `low` to `high`, which may exclude zero.
    """

    points: str
    area: str
    low: float
    high: float


def band(values: Sequence[tuple[float, float]]) -> Band:
    """Return the band of (middle, half width) values from left to right."""
    if not values:
        return Band("", "", 0.0, 0.0)
    several = list(values) * 2 if len(values) == 1 else list(values)
    low = min(middle - half for middle, half in several)
    high = max(middle + half for middle, half in several)
    span, step = (high - low) or 1.0, WIDTH / (len(several) - 1)

    def point(i: int, value: float) -> str:
        return f"{round(i * step, 1)},{round(HEIGHT - (value - low) / span * HEIGHT, 1)}"

    above = [point(i, middle + half) for i, (middle, half) in enumerate(several)]
    below = [point(i, middle - half) for i, (middle, half) in enumerate(several)]
    middles = [point(i, middle) for i, (middle, _half) in enumerate(several)]
    return Band(" ".join(middles), " ".join([*above, *reversed(below)]), low, high)
