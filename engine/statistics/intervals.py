"""A mean with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """The mean of one number for each deal, and its standard error (infinite below two deals)."""

    mean: float
    error: float
    deals: int

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval by Student's t."""
        return t_quantile(self.deals - 1) * self.error if self.deals > 1 else math.inf

    @property
    def low(self) -> float:
        return self.mean - self.margin

    @property
    def high(self) -> float:
        return self.mean + self.margin


def likelihood_of_superiority(difference: Estimate) -> float:
    """Return how likely the true difference is above 0, with nothing known before: Φ(mean/error).

    0.5 where every deal came out even, which is what equal bots with equal luck do.
    """
    if difference.deals < 2 or difference.mean == difference.error == 0:
        return 0.5
    if difference.error == 0:
        return 1.0 if difference.mean > 0 else 0.0
    return NormalDist().cdf(difference.mean / difference.error)


@lru_cache(maxsize=4096)
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return Student's t for a two-sided interval, by Hill's algorithm 396 (CACM 13, 1970).

    ValueError below one degree of freedom.
    """
    if freedom < 1:
        raise ValueError("an interval needs at least one degree of freedom")
    outside = 1 - confidence
    if freedom == 1:
        return 1 / math.tan(outside * math.pi / 2)
    if freedom == 2:
        return math.sqrt(2 / (outside * (2 - outside)) - 2)
    a = 1 / (freedom - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * freedom
    y = (d * outside) ** (2 / freedom)
    if y > 0.05 + a:
        y = _near_normal(freedom, outside, a, b, c, d)
    else:
        tail = ((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3
        inner = ((1 / tail + 0.5 / (freedom + 4)) * y - 1) * (freedom + 1) / (freedom + 2)
        y = inner + 1 / y
    return math.sqrt(freedom * y)


def _near_normal(freedom: int, outside: float, a: float, b: float, c: float, d: float) -> float:
    """Return t²/freedom from the normal quantile: the usual case of not too few degrees."""
    x = NormalDist().inv_cdf(outside / 2)
    y = x * x
    if freedom < 5:
        c += 0.3 * (freedom - 4.5) * (x + 0.6)
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    return math.expm1(a * y * y)
