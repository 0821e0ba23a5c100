"""The best order of one table's players, given where they sat before."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

from league.nights.domain.seating.history import Past
from league.nights.domain.seating.neighbours import COSTS, Relation, relations
from league.nights.domain.seating.sizes import SeatedRound

CHAIR, MISSED = 10, 1000


def choose_chairs(
    tables: SeatedRound, past: Past, fixed: Mapping[int, int], rng: random.Random
) -> list[list[int]]:
    """Return each table in the seat order that evens out chairs, then neighbours.

    All orders of a table are compared: least-used chairs first, then as few pairs as possible who
    sit to each other as they did before; chance decides between equals. `fixed` maps players to
    chairs.
    """
    seen = Counter(r for played in past.rounds for table in played for r in relations(table))
    return [_best_order(table, past, fixed, seen, rng) for table in tables]


def _best_order(
    table: Sequence[int],
    past: Past,
    fixed: Mapping[int, int],
    seen: Counter[Relation],
    rng: random.Random,
) -> list[int]:
    size = len(table)
    costs = {player: _chair_costs(player, size, past, fixed) for player in table}

    def cost(order: Sequence[int]) -> int:
        chairs = sum(costs[player][chair] for chair, player in enumerate(order))
        return chairs + sum(COSTS[r[2]] * seen[r] for r in relations(order))

    return min(map(list, permutations(rng.sample(list(table), size))), key=cost)


def _chair_costs(player: int, size: int, past: Past, fixed: Mapping[int, int]) -> list[int]:
    if player in fixed:
        return [MISSED * (chair != fixed[player]) for chair in range(size)]
    row = past.chairs[player].get(size, [0] * size)
    return [CHAIR * (times - min(row)) ** 2 for times in row]
