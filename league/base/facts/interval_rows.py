"""Rows of a bot tournament's page: means with intervals, plotted on a line."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Plot:
    """An interval plotted on a line from 0 to 100, with the position of the reference."""

    low: float
    middle: float
    high: float
    reference: float


@dataclass(frozen=True)
class IntervalRow:
    """A row: a mean with the ends of its interval, and their plot."""

    name: str
    mean: float
    low: float
    high: float
    plot: Plot

    @property
    def margin(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


def drawn(
    names: Iterable[str], values: list[tuple[float, float, float]], reference: float
) -> list[IntervalRow]:
    """Return a row for each (mean, low, high), all on one scale that includes the reference."""
    least = min([reference, *(low for mean, low, high in values)])
    most = max([reference, *(high for mean, low, high in values)])
    span = (most - least) or 1.0

    def place(value: float) -> float:
        return round(3 + 94 * (value - least) / span, 2)

    return [
        IntervalRow(name, mean, low, high, Plot(*map(place, (low, mean, high, reference))))
        for name, (mean, low, high) in zip(names, values, strict=True)
    ]
