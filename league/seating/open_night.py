"""Open play: the choice of waiting players for the next table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.seating.sizes import FULL

Pair = tuple[int, int]
LOOK = 12


@dataclass(frozen=True)
class ProposedTable:
    """A table that could be formed: its players in queue order, and its repeat meetings."""

    players: tuple[int, ...]
    again: int


def next_table(
    waiting: Sequence[int], met: Mapping[Pair, int], *, size: int = FULL, least: int = 3
) -> ProposedTable | None:
    """Return the next table to form, None while fewer than `least` players wait.

    The head of the queue always plays. The others are chosen from the first twelve in the queue for
    the fewest repeat meetings, then the longest wait. A pair that met c times counts c.
    """
    size = min(size, len(waiting))
    if size < max(2, least):
        return None
    head, *others = waiting[:LOOK]
    choices = ((head, *rest) for rest in combinations(others, size - 1))
    # `min` keeps the first of equals: the longest wait.
    best = min(choices, key=lambda table: _meetings(table, met))
    return ProposedTable(best, _meetings(best, met))


def _meetings(table: Sequence[int], met: Mapping[Pair, int]) -> int:
    return sum(met.get((min(a, b), max(a, b)), 0) for a, b in combinations(table, 2))
