"""Intervals that hold at every moment at once, however often anyone looks and goes on.

A confidence sequence by mixing over effects, with Student's t for the unknown spread: the deals
favour a mean by the factor `evidence` over another, and under the true mean that factor exceeds
20 at any time in one run of twenty at most (Lai, Annals of Statistics 4, 1976; Ville). Deals of
normal sums make it exact, all others hold it more nearly the more of them there are.
"""

from __future__ import annotations

import math
from functools import lru_cache

from engine.statistics.intervals import CONFIDENCE, Estimate

EFFECT = 0.02
"""The variance of the effects that are mixed, in spreads of a deal: narrowest at some 400 deals."""
LEAST = 2


class Anytime(Estimate):
    """An estimate whose interval holds at all numbers of deals together."""

    @property
    def margin(self) -> float:
        """Half the width of the interval; infinite for the first twenty deals or so."""
        return self.spread * width_anytime(self.deals) if self.spread else 0.0

    @property
    def doubt(self) -> float:
        """How far the deals allow, however often they were looked at, that the mean is 0."""
        if not self.spread:
            return 1.0
        return min(1.0, 1 / evidence(self.mean / self.spread, self.deals))


def anytime(estimate: Estimate) -> Anytime:
    """Return the same estimate, for those who may look and go on."""
    return Anytime(estimate.mean, estimate.error, estimate.deals, estimate.grain)


def evidence(t: float, deals: int) -> float:
    """Return by what factor the deals favour some effect over the mean that gave this `t`."""
    if deals < LEAST:
        return 1.0
    freedom, grown = deals - 1, 1 + deals * EFFECT
    both = math.log1p(t * t / freedom) - math.log1p(t * t / freedom / grown)
    return math.exp(min(700.0, deals / 2 * both - math.log(grown) / 2))


@lru_cache(maxsize=4096)
def width_anytime(deals: int) -> float:
    """Return the `t` from which on a mean is out of the interval."""
    if deals < LEAST:
        return math.inf
    grown = 1 + deals * EFFECT
    bound = math.exp(2 / deals * (math.log(grown) / 2 - math.log(1 - CONFIDENCE)))
    if bound >= grown:
        return math.inf
    return math.sqrt((deals - 1) * (bound - 1) / (1 - bound / grown))
