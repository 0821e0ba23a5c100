"""Sums over deals, exact and in any order: what intervals and tests are made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.statistics.intervals import Estimate


@dataclass(frozen=True)
class Moments:
    """How many deals, each entry's sum over them, and each two entries' sum of products.

    The numbers of a deal are whole, so these sums are exact and do not depend on the order in
    which blocks are added.
    """

    deals: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]], entries: int) -> Moments:
        """Return the sums of rows with a number for each entry, one row for each deal."""
        columns = list(zip(*rows, strict=True)) or [()] * entries
        products = tuple(tuple(_dot(a, b) for b in columns) for a in columns)
        return cls(len(columns[0]), tuple(sum(column) for column in columns), products)

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.deals + other.deals,
            tuple(a + b for a, b in zip(self.sums, other.sums, strict=True)),
            tuple(
                tuple(a + b for a, b in zip(mine, its, strict=True))
                for mine, its in zip(self.products, other.products, strict=True)
            ),
        )

    def mean(self, entry: int, unit: float = 1) -> Estimate:
        """Return the mean of an entry's numbers, counted in units of `unit`."""
        return _estimate(self.deals, self.sums[entry], self.products[entry][entry], unit)

    def difference(self, one: int, other: int, unit: float = 1) -> Estimate:
        """Return the mean of what `one` has more than `other` in the same deal."""
        squares = (
            self.products[one][one] - 2 * self.products[one][other] + self.products[other][other]
        )
        return _estimate(self.deals, self.sums[one] - self.sums[other], squares, unit)

    def to_json(self) -> list[Any]:
        """Return JSON values. The inverse of `from_json`."""
        return [self.deals, list(self.sums), [list(row) for row in self.products]]

    @classmethod
    def from_json(cls, value: Any) -> Moments:
        deals, sums, products = value
        return cls(deals, tuple(sums), tuple(tuple(row) for row in products))


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _estimate(deals: int, total: int, squares: int, unit: float) -> Estimate:
    if not deals:
        return Estimate(0.0, math.inf, 0)
    if deals == 1:
        return Estimate(total / unit, math.inf, 1)
    # Whole numbers until the division: nothing cancels, and even deals give exactly 0.
    spread = deals * squares - total * total
    error = math.sqrt(spread / (deals * deals * (deals - 1)))
    return Estimate(total / deals / unit, error / unit, deals)
