"""The seat order of a table's players, given their earlier chairs and neighbours."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

from league.seating.history import Past
from league.seating.neighbours import COSTS, Relation, relations
from league.seating.sizes import SeatedRound

CHAIR = 10
EVERY_ORDER, STARTS = 6, 6


def choose_chairs(tables: SeatedRound, past: Past, rng: random.Random) -> list[list[int]]:
    """Return each table in the seat order that evens out chairs, then neighbours.

    Least-used chairs count first, then as few repeated neighbours as possible; chance breaks ties.
    Up to six players, all orders are compared; with seven or eight,
    several random orders are improved by exchanges until none helps.
    """
    seen = Counter(r for played in past.rounds for table in played for r in relations(table))
    return [_best_order(table, past, seen, rng) for table in tables]


def _best_order(
    table: Sequence[int],
    past: Past,
    seen: Counter[Relation],
    rng: random.Random,
) -> list[int]:
    size = len(table)
    used = {player: past.chairs[player].get(size, [0] * size) for player in table}
    costs = {
        player: [CHAIR * (times - min(row)) ** 2 for times in row] for player, row in used.items()
    }

    def cost(order: Sequence[int]) -> int:
        chairs = sum(costs[player][chair] for chair, player in enumerate(order))
        return chairs + sum(COSTS[r[2]] * seen[r] for r in relations(order))

    drawn = rng.sample(list(table), size)
    if size <= EVERY_ORDER:
        return min(map(list, permutations(drawn)), key=cost)
    starts = [rng.sample(drawn, size) for _ in range(STARTS)]
    return min((_exchanged(start, cost) for start in starts), key=cost)


def _exchanged(order: list[int], cost: Callable[[Sequence[int]], int]) -> list[int]:
    """Return the order after repeating the best exchange of two chairs until none helps."""
    known = cost(order)
    while True:
        near = []
        for one, other in combinations(range(len(order)), 2):
            changed = list(order)
            changed[one], changed[other] = order[other], order[one]
            near.append((cost(changed), changed))
        best, found = min(near)
        if best >= known:
            return order
        known, order = best, found
