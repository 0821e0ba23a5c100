"""A bot that sheds its lowest cards, as many as it can at every turn."""

from collections.abc import Sequence

from ..rules.actions import SeatAction
from ..rules.cardset import BITS, MASK
from ..rules.observation import Observation
from ..rules.shapes import size_of

# For each code of a play: more cards are better, then a lower top card.
_APPEAL = tuple(64 * size_of(shape) + 63 - top for shape in range(64) for top in range(64))


class GreedyBot:
    """A bot that leads its lowest card in the longest combination and beats with its lowest play.

    It never saves a card. As a forward player it passes, to lead again. It declares instant wins,
    asks for high ranks and gives its lowest cards away.
    """

    name = "greedy"
    version = 1

    def __init__(self, seed: int) -> None:
        del seed  # It rolls no dice.

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        """Return the action that sheds the most cards; ties go to the first in the list."""
        plays = [action for action in legal if action.do == "play"]
        if not plays or observation.forward:
            return min(legal, key=_eagerness)
        if observation.to_beat:
            return plays[0]
        lowest = plays[0].cards[0]
        with_lowest = [action for action in plays if action.cards[0] == lowest]
        return max(with_lowest, key=lambda action: (len(action.cards), -action.cards[-1]))

    def pick(self, plays: list[int], top: int, forward: bool) -> int:
        """Return a play or 0 for a pass, as `choose` does."""
        if top:
            return plays[0] if plays and not forward else 0
        lowest = 3 * (plays[0] & -plays[0] & MASK)
        best = 0
        appeal = -1
        for play in plays:
            if play & lowest:
                worth = _APPEAL[play >> BITS]
                if worth > appeal:
                    best = play
                    appeal = worth
        return best


def _eagerness(action: SeatAction) -> tuple[bool, int, tuple[int, ...]]:
    """Return a sort key of other actions: declare or pass, ask for high ranks, give low cards."""
    return action.do not in ("declare", "pass"), -(action.rank or 0), action.cards
