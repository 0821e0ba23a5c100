"""Statistics of a run of games: intervals over deals, a sequential test, ratings.

Pure functions of the results of blocks of games (`engine.sim.simulation.Block`). The games of one
deal belong together, so the deal is the unit everywhere: docs/arena.md explains why.
"""

from .anytime import Anytime, anytime
from .intervals import (
    Estimate,
    Rate,
    holm,
    likelihood_of_superiority,
    t_below,
    t_quantile,
)
from .moments import Moments, Ratio
from .ratings import EloRating, fit, rate
from .sequential import SequentialTest, Verdict

__all__ = [
    "Anytime",
    "Estimate",
    "Moments",
    "EloRating",
    "Rate",
    "Ratio",
    "SequentialTest",
    "Verdict",
    "anytime",
    "fit",
    "holm",
    "likelihood_of_superiority",
    "rate",
    "t_below",
    "t_quantile",
]
