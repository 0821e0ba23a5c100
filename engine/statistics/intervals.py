"""A mean with its interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95


GRAIN = 1
"""The step of the sums of a deal, which are integers."""


@dataclass(frozen=True)
class Estimate:
    """The mean of one number per deal, with its standard error (infinite below two deals).

    `grain` is the step of these numbers. They are known to half a step, and the interval is at
    least that wide: a few deals that happen to be equal give no certainty.
    """

    mean: float
    error: float
    deals: int
    grain: float = 0.0

    @property
    def spread(self) -> float:
        """The standard error including the rounding to steps."""
        if self.deals < 2 or not self.grain:
            return self.error
        return math.sqrt(self.error**2 + self.grain**2 / (12 * self.deals))

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval by Student's t."""
        return t_quantile(self.deals - 1) * self.spread if self.deals > 1 else math.inf

    @property
    def low(self) -> float:
        return self.mean - self.margin

    @property
    def high(self) -> float:
        return self.mean + self.margin


@dataclass(frozen=True)
class Rate:
    """The rate of an event, with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float
    deals: int


def rate_of(count: int, squares: int, deals: int, clump: int, unit: float = 1) -> Rate:
    """Return the rate of a rare event per deal, in units of `unit`.

    `squares` is the sum of the squares of the deals' counts. An event in one game of a deal tends
    to recur in its other games, up to `clump` times; how strongly is estimated from the deals,
    starting from `clump`. The number of clumps is Poisson distributed, its interval Jeffreys':
    never below 0, and with an upper end above 0 even without events.
    """
    if not deals:
        return Rate(0.0, 0.0, math.inf, 0)
    mean = count / deals
    varied = (
        (squares / deals - mean * mean) * deals / (deals - 1) / mean if count > 1 < deals else 0
    )
    size = max(1.0, (varied * count + clump * _DOUBT) / (count + _DOUBT))
    clumps, scale = count / size + 0.5, size / deals / unit
    low = _gamma_quantile(clumps, (1 - CONFIDENCE) / 2) if count else 0.0
    high = _gamma_quantile(clumps, (1 + CONFIDENCE) / 2)
    return Rate(mean / unit, min(low * scale, mean / unit), high * scale, deals)


_DOUBT = 0.5
"""Weight of the assumed clump size, in events."""


def _gamma_quantile(shape: float, part: float) -> float:
    """Return the quantile of the gamma distribution by the Wilson-Hilferty approximation."""
    root = 1 - 1 / (9 * shape) + NormalDist().inv_cdf(part) / (3 * math.sqrt(shape))
    return float(shape * max(0.0, root) ** 3)


def likelihood_of_superiority(difference: Estimate) -> float:
    """Return the probability that the true difference is above 0, under a flat prior.

    It uses Student's t like the interval: 97.5 % if that begins at 0. It is 0.5 if every deal was
    even, as deals are for equal bots with equal luck.
    """
    if difference.deals < 2 or difference.mean == difference.error == 0:
        return 0.5
    if difference.spread == 0:
        return 1.0 if difference.mean > 0 else 0.0
    return t_below(difference.mean / difference.spread, difference.deals - 1)


def holm(doubts: Sequence[float]) -> list[float]:
    """Return the p-values of several claims, adjusted for multiple comparisons.

    By Holm (Scandinavian Journal of Statistics 6, 1979): accepting the claims below 5 % is wrong
    about any of them in at most one of twenty families.
    """
    order = sorted(range(len(doubts)), key=lambda at: doubts[at])
    found, most = [0.0] * len(doubts), 0.0
    for rank, at in enumerate(order):
        most = max(most, min(1.0, (len(doubts) - rank) * doubts[at]))
        found[at] = most
    return found


def t_below(t: float, freedom: int) -> float:
    """Return the probability that Student's t is below `t`."""
    tail = 0.5 * _beta(freedom / (freedom + t * t), freedom / 2, 0.5)
    return 1 - tail if t > 0 else tail


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return max(0.0, min(1.0, x))
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * fraction / a


@lru_cache(maxsize=4096)
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Return Student's t for a two-sided interval, by Hill's algorithm 396 (CACM 13, 1970).

    Raises ValueError below one degree of freedom.
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
    """Return t²/freedom from the normal quantile, the usual case of enough degrees of freedom."""
    x = NormalDist().inv_cdf(outside / 2)
    y = x * x
    if freedom < 5:
        c += 0.3 * (freedom - 4.5) * (x + 0.6)
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    return math.expm1(a * y * y)
