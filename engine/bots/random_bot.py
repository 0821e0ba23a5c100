"""A bot that plays each legal action with the same probability."""

from collections.abc import Sequence
from random import Random

from ..rules.actions import SeatAction
from ..rules.observation import Observation


class RandomBot:
    """A player that chooses uniformly at random; the bottom of every ladder."""

    name = "random"
    version = 1

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self._random = self.dice.random

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return a uniformly random legal action; a single one throws no dice."""
        if len(legal) == 1:
            return legal[0]
        return legal[int(self._random() * len(legal))]

    def pick(self, plays: list[int], top: int, forward: bool) -> int:
        """Return a play, or 0 for a pass: the same choice as `choose` makes among play actions."""
        choices = len(plays) + 1 if top else len(plays)
        if choices == 1:
            return plays[0] if plays else 0
        at = int(self._random() * choices)
        return plays[at] if at < len(plays) else 0
