"""Exact sums over deals, in any order, from which intervals and tests are computed."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .intervals import GRAIN, Estimate, Rate, rate_of


@dataclass(frozen=True)
class Moments:
    """The number of deals, each entry's sum over them, and the sum of products of each two entries.

    A deal's numbers are integers, so these sums are exact and do not depend on the order in which
    blocks are added.
    """

    deals: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]], entries: int) -> Moments:
        """Return the sums of rows, one row per deal with a number for each entry."""
        columns = list(zip(*rows, strict=True)) or [()] * entries
        # The matrix of products is symmetric: half of it is enough.
        half = [
            [sum(map(operator.mul, a, b)) for b in columns[: i + 1]] for i, a in enumerate(columns)
        ]
        places = range(len(columns))
        products = tuple(tuple(half[max(a, b)][min(a, b)] for b in places) for a in places)
        return cls(len(columns[0]), tuple(map(sum, columns)), products)

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

    def adjusted(self, entry: int, luck: int, unit: float = 1) -> Estimate:
        """Return the mean of an entry's numbers less what `luck`, of mean 0, explains of them."""
        deals, sums, products = self.deals, self.sums, self.products
        spread = deals * products[luck][luck] - sums[luck] ** 2
        if deals < 3 or not spread:
            return self.mean(entry, unit)
        common = deals * products[entry][luck] - sums[entry] * sums[luck]
        factor = common / spread
        rest = deals * products[entry][entry] - sums[entry] ** 2 - factor * common
        error = math.sqrt(max(0.0, rest) / (deals * deals * (deals - 2)))
        mean = (sums[entry] - factor * sums[luck]) / deals
        return Estimate(mean / unit, error / unit, deals, GRAIN / unit)

    def rate(self, entry: int, clump: int, unit: float = 1) -> Rate:
        """Return the rate of an entry's event, which a deal has at most about `clump` times."""
        return rate_of(self.sums[entry], self.products[entry][entry], self.deals, clump, unit)

    def difference(self, one: int, other: int, unit: float = 1) -> Estimate:
        """Return the mean of `one` minus `other` in the same deal."""
        squares = (
            self.products[one][one] - 2 * self.products[one][other] + self.products[other][other]
        )
        return _estimate(self.deals, self.sums[one] - self.sums[other], squares, unit)

    def to_json(self) -> list[Any]:
        """Return JSON values; `from_json` is the inverse."""
        return [self.deals, list(self.sums), [list(row) for row in self.products]]

    @classmethod
    def from_json(cls, value: Any) -> Moments:
        deals, sums, products = value
        return cls(deals, tuple(sums), tuple(tuple(row) for row in products))


class Ratio(NamedTuple):
    """Sums over deals of a count and a score, to estimate the score per count.

    Deals with a count of 0 are left out. For example, the count is how often a strong hand was
    played in a deal, and the score what it won.
    """

    deals: int = 0
    counts: int = 0
    scores: int = 0
    counts_squared: int = 0
    products: int = 0
    scores_squared: int = 0

    @classmethod
    def of(cls, count: int, score: int, deals: int = 1) -> Ratio:
        """Return the sums of one deal, or of `deals` equal ones."""
        sums = (1, count, score, count * count, count * score, score * score)
        return cls(*(deals * one for one in sums))

    def __add__(self, other: tuple[int, ...]) -> Ratio:  # type: ignore[override]
        return Ratio(*(a + b for a, b in zip(self, other, strict=True)))

    def estimate(self, unit: float = 1) -> Estimate:
        """Return the score per count, in units of `unit`.

        The error is that of a ratio of sums over independent deals (Cochran, Sampling Techniques,
        6.3): deals with higher counts weigh more.
        """
        deals, counts = self.deals, self.counts
        if not counts:
            return Estimate(0.0, math.inf, 0)
        ratio = self.scores / counts
        if deals == 1:
            return Estimate(ratio / unit, math.inf, 1)
        # Integers until the division, as in `_estimate`.
        spread = (
            self.scores_squared * counts * counts
            - 2 * self.products * self.scores * counts
            + self.counts_squared * self.scores * self.scores
        )
        error = math.sqrt(spread * deals / (deals - 1)) / (counts * counts)
        return Estimate(ratio / unit, error / unit, deals)


def _estimate(deals: int, total: int, squares: int, unit: float) -> Estimate:
    if not deals:
        return Estimate(0.0, math.inf, 0)
    if deals == 1:
        return Estimate(total / unit, math.inf, 1)
    # Integers until the division: no cancellation error, and even deals give exactly 0.
    spread = deals * squares - total * total
    error = math.sqrt(spread / (deals * deals * (deals - 1)))
    grain = GRAIN / unit if squares else 0.0  # Deals that are all even need no grain.
    return Estimate(total / deals / unit, error / unit, deals, grain)
