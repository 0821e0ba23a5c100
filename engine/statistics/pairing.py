"""Choice of the next table by the information gain about ratings."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from .ratings import ELO


class Known(NamedTuple):
    """An entry's rating and its error, in Elo points."""

    rating: float
    error: float


def gain(one: Known, other: Known) -> float:
    """Return the information gain of a game of two in nats, to a first approximation.

    The log odds between them have a variance v from both errors, and the result has the variance
    p (1 - p): a game removes ln(1 + p (1 - p) v) / 2 of the uncertainty.

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
    """Return the indexes of a table's entries, an anchor first.

    The anchor and entry with the largest gain come first; each further entry adds most to the sum
    over all pairs of the table. So every entry meets an anchor, which connects all ratings. An
    empty list means that no entries may meet.
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
