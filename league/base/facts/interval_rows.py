"""Rows of a bot tournament's page: a mean with its interval, drawn on a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Plot:
    """An interval drawn on a line from 0 to 100, with the place of the reference on it."""

    low: float
    middle: float
    high: float
    reference: float


@dataclass(frozen=True)
class IntervalRow:
    """A bot's row: its mean with the ends of its interval, and where they are drawn."""

    name: str
    mean: float
    low: float
    high: float
    plot: Plot


def drawn(
    names: Iterable[str], values: list[tuple[float, float, float]], reference: float
) -> list[IntervalRow]:
    """Return a row for each mean with its low and high end, all on one scale with the reference."""
    least = min([reference, *(low for mean, low, high in values)])
    most = max([reference, *(high for mean, low, high in values)])
    span = (most - least) or 1.0

    def place(value: float) -> float:
        return round(3 + 94 * (value - least) / span, 2)

    return [
        IntervalRow(name, mean, low, high, Plot(*map(place, (low, mean, high, reference))))
        for name, (mean, low, high) in zip(names, values, strict=True)
    ]
