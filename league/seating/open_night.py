"""An open night: who of those who are free sit down together next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.seating.sizes import FULL

Pair = tuple[int, int]
LOOK = 12


@dataclass(frozen=True)
class ProposedTable:
    """A table that could be formed: its players in the order of the queue, and who met before."""

    players: tuple[int, ...]
    again: int


def next_table(
    waiting: Sequence[int], met: Mapping[Pair, int], *, size: int = FULL, least: int = 3
) -> ProposedTable | None:
    """Return who should sit down next, None while fewer than `least` wait.

    The head of the queue always does. The others are chosen among the first twelve who wait: as few
    repeat meetings as possible, then who has waited longest. A pair that met c times counts c.
    """
    size = min(size, len(waiting))
    if size < max(2, least):
        return None
    head, *others = waiting[:LOOK]
    choices = ((head, *rest) for rest in combinations(others, size - 1))
    best = min(choices, key=lambda table: _meetings(table, met))  # The first of equals.
    return ProposedTable(best, _meetings(best, met))


def _meetings(table: Sequence[int], met: Mapping[Pair, int]) -> int:
    return sum(met.get((min(a, b), max(a, b)), 0) for a, b in combinations(table, 2))
