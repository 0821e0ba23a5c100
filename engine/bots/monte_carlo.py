"""Bots that deal the hidden cards many times and play each deal out."""

from collections.abc import Sequence
from random import Random

from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.rule_tables import table
from . import suited
from .belief import read
from .candidates import weigh
from .decompose import decomposer
from .off_trick import locked, without_choice
from .search import Dream, Style
from .suited import is_suited
from .weights import shipped_weights


class DreamerBot:
    """A Monte Carlo bot: it picks, of the planner's best plays, the one with the best mean result.

    The hidden cards are dealt to the opponents at random; every hand is divided into groups, and
    all play on to the end. The number of deals is fixed, so that a choice depends only on the
    observation and the seed.
    """

    name = "dreamer"
    version = 2
    style = Style(rounds=((8, 4), (4, 5), (2, 10)), trust=3)

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the action with the highest mean reward over the imagined games."""
        if action := without_choice(observation, legal):
            return action
        reading = read(observation)
        if is_suited(observation.ruleset) and not observation.opening:
            choices = [action for action in legal if action.do != "lock"]
            rounds, dice = self.style.rounds, self._dice
            return locked(suited.best_of(observation, reading, choices, rounds, dice), legal)
        weights = shipped_weights()
        plan = decomposer(table(observation.ruleset).generator, weights)
        candidates = weigh(observation, legal, reading, plan, weights)
        best = candidates[0]
        if len(candidates) > 1 and best.groups and not observation.opening:
            best = Dream(observation, reading, weights, self.style, self._dice).best_of(candidates)
        return locked(best.action, legal)


class SageBot(DreamerBot):
    """A dreamer with many more deals."""

    name = "sage"
    version = 2
    style = Style(rounds=((8, 24), (4, 30), (2, 60)), trust=15)
