"""Values by key."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """Return the values of each key, in the order in which they come; [] for other keys."""
    found: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return found


def net_of(moves: Iterable[tuple[K, K, int]]) -> Counter[K]:
    """Return what each has won after these moves of an amount from a payer to a payee."""
    found: Counter[K] = Counter()
    for payer, payee, amount in moves:
        found[payer] -= amount
        found[payee] += amount
    return found
