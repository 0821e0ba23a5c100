"""Generalised sequential probability ratio test (GSPRT), which stops at the first clear result."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from .intervals import Estimate


@dataclass(frozen=True)
class Verdict:
    """The decision whether the first bot is better by the tested effect, after `deals` deals."""

    better: bool
    deals: int
    ratio: float


@dataclass(frozen=True)
class SequentialTest:
    """A test whether the first bot beats the second by `effect` (share of opponents beaten).

    Each of the two wrong verdicts has a probability of about `error`: "better" when
    both are equal, "not better" when the difference is the effect. The variance is estimated, so
    there is no verdict before `least` deals, where its normal approximation would be poor.
    """

    effect: float
    error: float = 0.05
    least: int = 100

    def __post_init__(self) -> None:
        if not 0 < self.effect <= 1:
            raise ValueError("the effect must be above 0 and at most 1")

    @property
    def bound(self) -> float:
        """The log likelihood ratio at which the test ends, on either side."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, difference: Estimate) -> float:
        """Return the log likelihood ratio of "better by the effect" against "equal"."""
        if difference.deals < 2:
            return 0.0
        lead = self.effect * (difference.mean - self.effect / 2)
        if difference.error == 0:
            return math.copysign(math.inf, lead)
        return lead / difference.error**2

    def decide(self, differences: Iterable[Estimate]) -> Verdict | None:
        """Return the first verdict over growing numbers of deals, or None while there is none.

        The estimates must be those of the first blocks of a run, in order and without a gap:
        then neither the number of workers nor their speed nor crashes can change the verdict.
        """
        for difference in differences:
            ratio = self.ratio(difference)
            if difference.deals >= self.least and abs(ratio) >= self.bound:
                return Verdict(ratio > 0, difference.deals, ratio)
        return None
