"""The planner's scores of the plays in a trick, by the hands that they leave."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ..rules.actions import SeatAction
from ..rules.cards import TWO
from ..rules.cardset import pack, rank_counts
from ..rules.observation import Observation
from ..rules.shapes import PAIR_RUN, QUAD, QUAD_RUN, SINGLE, STRAIGHT
from .belief import Reading
from .decompose import Decomposer, Groups
from .weights import Weights

_BASES = {1: STRAIGHT, 2: PAIR_RUN, 4: QUAD_RUN}
_FINISH = 100_000


class Candidate(NamedTuple):
    """A play or a pass, the planner's score in hundredths of a turn, and the groups left."""

    score: int
    action: SeatAction
    shape: int
    groups: Groups


def shape_of_cards(cards: Sequence[int]) -> int:
    """Return the shape of a combination, given its cards low to high."""
    ranks = (cards[-1] >> 2) - (cards[0] >> 2) + 1
    return len(cards) if ranks == 1 else _BASES[len(cards) // ranks] + ranks


def weigh(
    observation: Observation,
    legal: Sequence[SeatAction],
    reading: Reading,
    decomposer: Decomposer,
    weights: Weights,
) -> list[Candidate]:
    """Return a candidate for each combination of ranks that may be played, best first.

    The lowest of the plays that differ only in suits stands for all. A pass has the score 0.
    """
    hand = pack(observation.hand)
    before, groups = decomposer.best(rank_counts(hand))
    judge = _Judge(observation, reading, weights)
    found: dict[tuple[int, ...], Candidate] = {}
    for action in legal:
        if action.do == "pass":
            found[()] = Candidate(0, action, 0, groups)
        if action.do != "play":
            continue
        ranks = tuple([card >> 2 for card in action.cards])
        if ranks in found:
            continue
        left, rest = decomposer.best(rank_counts(hand - pack(action.cards)))
        shape = shape_of_cards(action.cards)
        score = before - left + judge.bonus(action.cards, shape, rest)
        found[ranks] = Candidate(score, action, shape, rest)
    return sorted(found.values(), key=lambda c: (-c.score, c.action.cards))


class _Judge:
    """The bonuses of plays, apart from the hands that they leave."""

    def __init__(self, observation: Observation, reading: Reading, weights: Weights) -> None:
        self._weights = weights
        self._forward = observation.forward
        self._beats = observation.to_beat
        self._least = min([reading.counts[seat] for seat in reading.opponents], default=1)
        self._unseen = reading.unseen

    def bonus(self, cards: tuple[int, ...], shape: int, rest: Groups) -> int:
        """Return a play's bonus in hundredths of a turn; `rest` are the groups it leaves."""
        if not rest:
            return _FINISH
        weights = self._weights
        rank = cards[-1] >> 2
        worth = weights.cards * len(cards)
        sure = shape == SINGLE and bisect_right(self._unseen, cards[-1]) == len(self._unseen)
        if sure and len(rest) == 1:
            return _FINISH // 2
        if self._forward:
            return worth - weights.forward
        if self._beats:
            worth += weights.beat + weights.beat_rank * rank
            worth += weights.danger * max(0, 4 - self._least)
            worth += weights.closing * max(0, 4 - len(rest))
            if shape == QUAD or shape >= PAIR_RUN or self._beats[0] >> 2 == TWO:
                worth += weights.chop
            return worth
        if len(cards) > self._least:
            worth += weights.unanswerable
        elif self._least <= 2:
            worth += weights.last_card * (rank - TWO)
        return worth
