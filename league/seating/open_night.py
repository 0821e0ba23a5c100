"""Open play: the choice of waiting players for the next table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.seating.sizes import FULL
from league.seating.wishes import Pair

LOOK = 12


@dataclass(frozen=True)
class ProposedTable:
    """A table that could be formed: its players in queue order, and its repeat meetings.

    `wishes` is the price of the wishes that it breaks, less that of those it grants.
    """

    players: tuple[int, ...]
    again: int
    wishes: int = 0


def next_table(
    waiting: Sequence[int],
    met: Mapping[Pair, int],
    *,
    size: int = FULL,
    least: int = 3,
    wishes: Mapping[Pair, int] | None = None,
) -> ProposedTable | None:
    """Return the next table to form, None while fewer than `least` players wait.

    The head of the queue always plays. The others are chosen from the first twelve in the queue for
    the `wishes`, as prices of a meeting, then the fewest repeat meetings, then the longest wait. A
    pair that met c times counts c.
    """
    size = min(size, len(waiting))
    if size < max(2, least):
        return None
    head, *others = waiting[:LOOK]
    choices = ((head, *rest) for rest in combinations(others, size - 1))
    # `min` keeps the first of equals: the longest wait.
    best = min(choices, key=lambda t: _meetings(t, wishes or {}) + _meetings(t, met))
    return ProposedTable(best, _meetings(best, met), _meetings(best, wishes or {}))


def worth_waiting(
    found: ProposedTable,
    waiting: Sequence[int],
    playing: Sequence[int],
    met: Mapping[Pair, int],
    *,
    size: int = FULL,
    wishes: Mapping[Pair, int] | None = None,
) -> bool:
    """Return whether the head of the queue would meet fewer again with those still playing.

    Those who have all met and wait alone have just ended their table: they wait too.
    """
    if len(waiting) == size and all(met.get(pair) for pair in combinations(sorted(waiting), 2)):
        return True
    if not playing or not (found.again or found.wishes > 0):
        return False
    head, *others = waiting
    best = next_table([head, *playing, *others], met, size=size, wishes=wishes)
    return best is not None and (best.wishes, best.again) < (found.wishes, found.again)


def _meetings(table: Sequence[int], met: Mapping[Pair, int]) -> int:
    return sum(met.get((min(a, b), max(a, b)), 0) for a, b in combinations(table, 2))
