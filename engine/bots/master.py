"""A bot that combines a network trained on millions of games with imagined games."""

from collections.abc import Sequence
from random import Random

from ..core.kernels.mind_layout import MOST_CARDS
from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.rule_tables import table
from ..rules.ruleset import Ruleset
from .belief import read
from .imagination import Belief, Foresight
from .monte_carlo import SageBot
from .off_trick import locked, without_choice
from .search import Dream
from .weights import shipped_weights

SEATS = 4
"""The most players that the network supports."""


class MasterBot:
    """A bot that imagines games, with its network's choices for itself and planners as opponents.

    Most of the deals are such that planners would have decided as the others did. The network picks
    the plays to try; its opinion counts for more deals the less the others play like planners. The
    sage plays the games for which the network is not trained, and rulesets whose turns are not just
    plays and passes.
    """

    name = "master"
    version = 3
    style = Foresight(
        rounds=((8, 50),),
        trust=30,
        doubt=4,
        far=3,
        belief=Belief(unit=8, most=60, first=400, between=12, share=70),
    )

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)
        self.elsewhere = SageBot(seed)

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the action with the highest mean of the network's opinion and imagined games."""
        if action := without_choice(observation, legal):
            return action
        if not is_learnt(observation.ruleset, observation.players):
            return self.elsewhere.choose(observation, legal)
        choices = distinct(legal)
        last = [action for action in choices if len(action.cards) == len(observation.hand)]
        if last or len(choices) == 1:
            return locked((last or choices)[0], legal)
        dream = Dream(observation, read(observation), shipped_weights(), SageBot.style, self._dice)
        return locked(dream.best_foreseen(choices, self.style), legal)


def is_learnt(ruleset: Ruleset, players: int) -> bool:
    """Return whether the network is trained for such games: one deck, and a pass locks out."""
    if players > SEATS or ruleset.decks_for(players) > 1 or not table(ruleset).plain:
        return False
    return ruleset.pass_locks and ruleset.cards_for(players) <= MOST_CARDS


def distinct(legal: Sequence[SeatAction]) -> list[SeatAction]:
    """Return the pass and the plays; the lowest stands for all that differ only in suits."""
    found: dict[tuple[int, ...], SeatAction] = {}
    for action in legal:
        if action.do in ("play", "pass"):
            found.setdefault(tuple([card >> 2 for card in action.cards]), action)
    return list(found.values())
