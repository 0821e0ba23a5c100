"""The planner's weights for hands and plays, shipped as data."""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..rules.cards import ACE, TWO
from ..rules.shapes import PAIR, PAIR_RUN, QUAD_RUN, SINGLE, STRAIGHT, TRIPLE


class Weights(NamedTuple):
    """The planner's weights in hundredths of a turn.

    Costs of holding a group: `single` to `bomb`, reduced for each rank above 3 (`…_rank`), for each
    rank of a run beyond three (`…_length`), for aces, 2s and quads. Bonuses of a play: for each
    card, for beating, for the rank it beats with, for each card that the shortest opponent holds
    below four (`danger`), for chops and beaten 2s, for a lead with more cards than some opponent
    holds (`unanswerable`). Penalties: for leads that an opponent with one or two cards can beat
    (`last_card`, for each rank below 2) and for playing on alone (`forward`). A bonus for beating
    near the end of the hand: for each group left below four (`closing`).
    """

    single: int
    single_rank: int
    single_ace: int
    single_two: int
    pair: int
    pair_rank: int
    pair_two: int
    triple: int
    triple_rank: int
    straight: int
    straight_rank: int
    straight_length: int
    bomb: int
    bomb_length: int
    quad: int
    cards: int
    beat: int
    beat_rank: int
    danger: int
    chop: int
    unanswerable: int
    last_card: int
    forward: int
    closing: int


@lru_cache(maxsize=1)
def shipped_weights() -> Weights:
    path = Path(__file__).parent / "data" / "planner.json"
    return Weights(**json.loads(path.read_text(encoding="utf-8")))


def cost_of(group: int, w: Weights) -> int:
    """Return the cost of holding a group (engine.bots.decompose); a negative cost is an asset."""
    shape, rank = group >> 4, group & 15
    if shape == SINGLE:
        high = w.single_ace * (rank == ACE) + w.single_two * (rank == TWO)
        return w.single - w.single_rank * rank - high
    if shape == PAIR:
        return w.pair - w.pair_rank * rank - w.pair_two * (rank == TWO)
    if shape == TRIPLE:
        return w.triple - w.triple_rank * rank
    if STRAIGHT < shape < PAIR_RUN:
        return w.straight - w.straight_rank * rank - w.straight_length * (shape - STRAIGHT - 3)
    if PAIR_RUN < shape < QUAD_RUN:
        return w.bomb - w.bomb_length * (shape - PAIR_RUN - 3)
    return w.bomb - w.quad
