"""Anytime-valid intervals: they hold at every number of deals at once, under optional stopping.

A confidence sequence by mixing over effects, with Student's t for the unknown spread. `evidence`
is the factor by which the deals favour some effect over a mean; against the true mean, it exceeds
20 at any time in at most one run of twenty (Lai, Annals of Statistics 4, 1976; Ville). It is exact
for deals with normal sums, and for others an approximation that improves with their number.
"""

import math
from functools import lru_cache

from .intervals import CONFIDENCE, Estimate

EFFECT = 0.02
"""Variance of the mixed effects, in units of a deal's spread: narrowest at about 400 deals."""
LEAST = 2


class Anytime(Estimate):
    """An estimate whose interval holds at all numbers of deals at once."""

    @property
    def margin(self) -> float:
        """Half the width of the interval; infinite for about the first twenty deals."""
        return self.spread * width_anytime(self.deals) if self.spread else 0.0

    @property
    def doubt(self) -> float:
        """The anytime-valid p-value of the hypothesis that the mean is 0."""
        if not self.spread:
            return 1.0
        return min(1.0, 1 / evidence(self.mean / self.spread, self.deals))


def anytime(estimate: Estimate) -> Anytime:
    """Return the estimate with an anytime-valid interval."""
    return Anytime(estimate.mean, estimate.error, estimate.deals, estimate.grain)


def evidence(t: float, deals: int) -> float:
    """Return the factor by which the deals favour some effect over the mean tested by `t`."""
    if deals < LEAST:
        return 1.0
    freedom, grown = deals - 1, 1 + deals * EFFECT
    both = math.log1p(t * t / freedom) - math.log1p(t * t / freedom / grown)
    return math.exp(min(700.0, deals / 2 * both - math.log(grown) / 2))


@lru_cache(maxsize=4096)
def width_anytime(deals: int) -> float:
    """Return the `t` beyond which a mean is outside the interval."""
    if deals < LEAST:
        return math.inf
    grown = 1 + deals * EFFECT
    bound = math.exp(2 / deals * (math.log(grown) / 2 - math.log(1 - CONFIDENCE)))
    if bound >= grown:
        return math.inf
    return math.sqrt((deals - 1) * (bound - 1) / (1 - bound / grown))
