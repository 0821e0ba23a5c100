"""Geometry of small SVG charts. Every page is readable without their colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 240.0, 60.0
STEP = 10.0
ROW = 14.0


class Curve(NamedTuple):
    """A curve in a box of 240 × 60: its SVG points, the y of zero, the least and largest value."""

    points: str
    zero: float
    low: float
    high: float


class Band(NamedTuple):
    """A curve with its uncertainty: the SVG points of the middle and of the area around it.

    The chart reaches from `low` to `high`, which may exclude zero.
    """

    points: str
    area: str
    low: float
    high: float


class Mark(NamedTuple):
    """A game in a strip of places: its centre, its rank, and whether it was first or last."""

    x: float
    y: float
    rank: int
    first: bool
    last: bool

    @property
    def kind(self) -> str:
        """The CSS class of the mark."""
        return "win" if self.first else "lost" if self.last else "mid"


class Places(NamedTuple):
    """A strip of games, one column each, the first place on top."""

    marks: list[Mark]
    width: float
    height: float
    sizes: list[int]


def line(values: Sequence[float], low: float | None = None, high: float | None = None) -> Curve:
    """Return the curve of values from left to right; without limits, the chart includes 0."""
    least = min(0.0, *values) if low is None and values else low or 0.0
    most = max(0.0, *values) if high is None and values else high or 0.0
    span = (most - least) or 1.0
    step = WIDTH / max(len(values) - 1, 1)
    points = [
        f"{round(i * step, 1)},{round(HEIGHT - (value - least) / span * HEIGHT, 1)}"
        for i, value in enumerate(values)
    ]
    if len(points) == 1:
        points.append(f"{WIDTH},{points[0].split(',')[1]}")
    return Curve(" ".join(points), round(HEIGHT + least / span * HEIGHT, 1), least, most)


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


def places(games: Sequence[tuple[int, int, int]]) -> Places:
    """Return the strip of games given as (rank, size, tied), oldest first."""
    rows = max((size for _rank, size, _tied in games), default=4)
    marks = [
        Mark(
            i * STEP + STEP / 2,
            (rank - 1 + (tied - 1) / 2) * ROW + ROW / 2,
            rank,
            rank == 1,
            rank + tied - 1 == size,
        )
        for i, (rank, size, tied) in enumerate(games)
    ]
    return Places(marks, max(len(games), 1) * STEP, rows * ROW, list(range(1, rows + 1)))
