"""Neighbours at tables: pairs that meet again should sit differently."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from league.seating.seats import Chairs
from league.seating.sizes import SeatedRound

Relation = tuple[int, int, str]
COSTS = {"after": 2, "before": 2, "across": 1}
ATTEMPTS = 60
MOST = 20_000


def relations(table: Sequence[int]) -> Iterator[Relation]:
    """Yield (a, b, side of b seen from a) for each pair of a table in seat order, a < b."""
    size = len(table)
    for i, j in combinations(range(size), 2):
        steps = (j - i) % size if table[i] < table[j] else (i - j) % size
        side = "after" if steps == 1 else "before" if steps == size - 1 else "across"
        yield min(table[i], table[j]), max(table[i], table[j]), side


def neighbour_repeats(schedule: Iterable[SeatedRound]) -> int:
    """Return how often two neighbours sit side by side again in the same order."""
    seen = Counter(
        relation
        for tables in schedule
        for table in tables
        for relation in relations(table)
        if relation[2] != "across"
    )
    return sum(count - 1 for count in seen.values())


def vary_neighbours(chairs: Chairs, rng: random.Random) -> None:
    """Exchange chairs along chains so that pairs who meet again sit differently."""
    meetings = Counter(frozenset(pair) for table in chairs.at for pair in combinations(table, 2))
    again = [
        index
        for index, table in enumerate(chairs.at)
        if any(meetings[frozenset(pair)] > 1 for pair in combinations(table, 2))
    ]
    if not again:
        return
    seen = Counter(relation for table in chairs.at for relation in relations(table))
    for _ in range(min(MOST, ATTEMPTS * len(again))):
        table = again[int(rng.random() * len(again))]
        if len(chairs.at[table]) > 2:
            one, other = rng.sample(range(len(chairs.at[table])), 2)
            tables = chairs.chain(table, one, other)
            if tables is not None and _replace(chairs, seen, tables, one, other) < 0:
                _replace(chairs, seen, tables, one, other)


def _replace(
    chairs: Chairs, seen: Counter[Relation], tables: Sequence[int], one: int, other: int
) -> int:
    """Exchange the chairs and return the saving, negative if the neighbours got worse."""
    saving = 0
    for index in tables:
        for relation in relations(chairs.at[index]):
            seen[relation] -= 1
            saving += COSTS[relation[2]] * seen[relation]
    chairs.exchange(tables, one, other)
    for index in tables:
        for relation in relations(chairs.at[index]):
            saving -= COSTS[relation[2]] * seen[relation]
            seen[relation] += 1
    return saving
