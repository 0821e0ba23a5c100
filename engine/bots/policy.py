"""The values of groups to the players of imagined games.

These players hold hands divided into groups: the code of a play (``shape << 6 | highest card``)
each, without a list of plays. `engine.core.kernels.imagined` plays their games.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from ..core.kernels.plan_layout import TEMPERS
from ..rules.cardset import RANK_BYTES
from ..rules.shapes import EACH, QUAD, QUAD_RUN, size_of
from .decompose import Groups
from .weights import Weights, cost_of

_HIGH = bytes(max((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
_LOW = bytes(min((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
_CODES = (QUAD_RUN + 14) << 6
# The largest random deviations of imagined players, in hundredths of a turn.
_ANSWER_WAVERS, _LEAD_WAVERS = 50, 30
SIZE = [size_of(code >> 6) for code in range(_CODES)]


def _ranks_of(code: int) -> int:
    """Return the number of cards of each rank in a group, one byte per rank."""
    shape, rank = code >> 6, (code >> 2) & 15
    if shape <= QUAD:
        return shape << 8 * rank
    each = EACH[shape >> 4]
    return sum(each << 8 * low for low in range(max(0, rank - (shape & 15) + 1), rank + 1))


RANKS = [_ranks_of(code) for code in range(_CODES)]


def with_suits(groups: Groups, packed: int) -> list[int]:
    """Return a hand's groups as codes; runs take the lowest suit held, other groups the highest."""
    held = packed.to_bytes(RANK_BYTES, "little")
    return sorted(
        [group << 2 | (_LOW if group >> 4 > QUAD else _HIGH)[held[group & 15]] for group in groups]
    )


class Policy:
    """The value of each group, by code, as a lead, as an answer and alone on a trick.

    Imagined players differ: in each of the `tempers` a player's values of leads and answers deviate
    a little from the weights.
    """

    def __init__(self, weights: Weights) -> None:
        costs = [cost_of(group, weights) for group in range(_CODES >> 2)]
        ranks = [(code >> 2) & 15 for code in range(_CODES)]
        cost = [costs[(code >> 6) << 4 | rank] for code, rank in enumerate(ranks)]
        lead = [cost[c] + weights.cards * SIZE[c] for c in range(_CODES)]
        self.alone = [worth - weights.forward for worth in lead]
        answer = [lead[c] + weights.beat + weights.beat_rank * ranks[c] for c in range(_CODES)]
        self.bonus = [answer[code] - cost[code] for code in range(_CODES)]
        self.tempers = [_temper(lead, answer, Random(number)) for number in range(TEMPERS)]
        self.danger = weights.danger
        self.closing = weights.closing


class Temper(NamedTuple):
    """One player's values of groups as leads and as answers, and the answers' random deviations."""

    lead: list[int]
    answer: list[int]
    whim: list[int]


def _temper(lead: list[int], answer: list[int], random: Random) -> Temper:
    def waver(most: int) -> int:
        return round(most * (random.random() + random.random() - 1))

    whim = [waver(_ANSWER_WAVERS) for _ in answer]
    return Temper(
        lead=[worth + waver(_LEAD_WAVERS) for worth in lead],
        answer=[worth + more for worth, more in zip(answer, whim, strict=True)],
        whim=whim,
    )


@lru_cache(maxsize=4)
def policy(weights: Weights) -> Policy:
    return Policy(weights)
