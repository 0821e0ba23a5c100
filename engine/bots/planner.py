"""A bot that divides its hand into groups and sheds the costliest ones."""

from collections.abc import Sequence

from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.rule_tables import table
from .belief import read
from .candidates import weigh
from .decompose import decomposer
from .greedy import GreedyBot
from .off_trick import locked, without_choice
from .suited import is_suited
from .weights import Weights, shipped_weights


class PlannerBot:
    """A bot that makes the play that leaves the cheapest hand; a pass leaves it unchanged.

    The costs of groups and the bonuses for tempo, danger and chops are data (`data/planner.json`),
    tuned against greedy bots.
    """

    name = "planner"
    version = 2

    def __init__(self, seed: int, weights: Weights | None = None) -> None:
        del seed  # It rolls no dice.
        self._weights = weights or shipped_weights()

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the play with the best score, or a pass if none is worth making."""
        if action := without_choice(observation, legal):
            return action
        if is_suited(observation.ruleset):
            return locked(GreedyBot(0).choose(observation, legal), legal)
        plan = decomposer(table(observation.ruleset).generator, self._weights)
        best = weigh(observation, legal, read(observation), plan, self._weights)[0]
        return locked(best.action, legal)
