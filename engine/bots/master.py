"""A sage with an opinion that it has learnt from games against itself."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.bots.belief import read
from engine.bots.candidates import weigh
from engine.bots.decompose import decomposer
from engine.bots.monte_carlo import SageBot
from engine.bots.off_trick import locked, off_trick
from engine.bots.search import Dream
from engine.bots.value_network import is_learnt, weigh_again
from engine.bots.values import ActionValue
from engine.bots.weights import shipped_weights
from engine.rules.actions import SeatAction
from engine.rules.observation import Observation
from engine.rules.rule_tables import table


class MasterBot:
    """Imagines games of planners; a network says which plays it begins with.

    The network's opinion also counts for as many deals as `style.trust` says. Where it has
    learnt nothing of the game, or turns are more than plays and passes, the sage plays.
    """

    name = "master"
    version = 2
    style = SageBot.style._replace(trust=50)

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)
        self.elsewhere = SageBot(seed)

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the action with the highest mean of the network's opinion and imagined games."""
        if len(legal) == 1:
            return legal[0]
        if not any(action.do == "play" for action in legal):
            return off_trick(observation, legal)
        if not is_learnt(observation) or not table(observation.ruleset).plain:
            return self.elsewhere.choose(observation, legal)
        reading = read(observation)
        weights = shipped_weights()
        plan = decomposer(table(observation.ruleset).generator, weights)
        candidates = weigh(observation, legal, reading, plan, weights)
        best = candidates[0]
        if len(candidates) > 1 and best.groups:
            candidates = weigh_again(candidates, observation, reading)
            dream = Dream(observation, reading, plan, weights, self.style, self._dice)
            best = dream.best_foreseen(candidates, passed_on_top(observation))
        return locked(best.action, legal)

    def values(
        self, observation: Observation, legal: Sequence[SeatAction], games: int = 0
    ) -> list[ActionValue]:
        """Return what each action is worth, as the sage does: by imagined games alone."""
        return self.elsewhere.values(observation, legal, games)


def passed_on_top(observation: Observation) -> int:
    """Return, as bits, who passed on the play to beat."""
    passed = 0
    for event in reversed(observation.history):
        if event.action.do != "pass":
            break
        passed |= 1 << event.action.seat
    return passed if observation.to_beat else 0
