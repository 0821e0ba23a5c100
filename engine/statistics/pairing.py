"""Who should meet next, so that a game tells most about who is stronger."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from engine.statistics.ratings import ELO


class Known(NamedTuple):
    """What is known of an entry: its rating and the error of it, in Elo points."""

    rating: float
    error: float


def gain(one: Known, other: Known) -> float:
    """Return what a game of two tells, in nats, as a first approximation.

    The log odds between them have the variance v of both errors, and the result of a game is as
    uncertain as p (1 - p) says: it takes ln(1 + p (1 - p) v) / 2 of the uncertainty away.

    >>> gain(Known(0, 100), Known(0, 100)) > gain(Known(0, 100), Known(0, 10))
    True
    >>> gain(Known(0, 100), Known(0, 100)) > gain(Known(0, 100), Known(600, 100))
    True
    """
    odds = (one.rating - other.rating) / ELO
    chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
    variance = (one.error**2 + other.error**2) / ELO**2
    return math.log1p(chance * (1 - chance) * variance) / 2


def table_of_most_gain(
    known: Sequence[Known],
    size: int,
    anchors: Collection[int],
    may_meet: Callable[[int, int], bool] = lambda _a, _b: True,
) -> list[int]:
    """Return the entries of a table by their indexes, an anchor first.

    The anchor and the entry that tell most about each other begin; each further one is the one
    that adds most to the sum over all pairs of the table. So everyone met an anchor, and all
    ratings hang together. An empty list means that nobody may meet.
    """
    entries = range(len(known))
    pairs = [(a, b) for a in anchors for b in entries if a != b and may_meet(a, b)]
    if not pairs:
        return []
    first, second = max(pairs, key=lambda pair: gain(known[pair[0]], known[pair[1]]))
    table = [first, second]
    while len(table) < size:
        free = [
            entry
            for entry in entries
            if entry not in table and all(may_meet(entry, other) for other in table)
        ]
        if not free:
            break
        table.append(
            max(free, key=lambda entry: sum(gain(known[entry], known[at]) for at in table))
        )
    return table
