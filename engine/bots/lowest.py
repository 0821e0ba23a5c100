"""A bot that plays its lowest single cards, as beginners do."""

from collections.abc import Sequence

from ..rules.actions import SeatAction
from ..rules.observation import Observation
from .off_trick import off_trick


class LowestBot:
    """A bot that leads its lowest single, if legal, and beats with its lowest play.

    As a forward player it passes, to lead again. It neither plans combinations nor saves cards.
    """

    name = "lowest"
    version = 1

    def __init__(self, seed: int) -> None:
        del seed  # It rolls no dice.

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the legal play with the fewest and then lowest cards, or a pass."""
        plays = [action for action in legal if action.do == "play"]
        if not plays:
            return off_trick(observation, legal)
        if observation.forward:
            return next(action for action in legal if action.do == "pass")
        if observation.to_beat:
            return plays[0]
        return min(plays, key=lambda action: (len(action.cards), action.cards))

    def pick(self, plays: list[int], top: int, forward: bool) -> int:
        """Return a play or 0 for a pass, as `choose` does."""
        if top:
            return plays[0] if plays and not forward else 0
        # Codes sort by shape, and a single is always among the leads of a trick.
        return min(plays)
