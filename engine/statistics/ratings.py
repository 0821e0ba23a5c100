"""Plackett-Luce ratings of frozen bots, fitted to all games at once, in any order.

An order of a game is a tuple of groups of entries, first place first: ``((2,), (0, 1))``.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from statistics import stdev

from .intervals import t_quantile

Order = tuple[tuple[int, ...], ...]

ELO = 400 / math.log(10)
MOST_MARGIN = 4000.0
"""The largest margin of a rating: odds of ten billion to one."""
_ITERATIONS = 500
_CLOSE = 1e-7


@dataclass(frozen=True)
class EloRating:
    """An entry's rating in Elo points around the average of 0, with its 95 % interval."""

    rating: float
    low: float
    high: float


@lru_cache(maxsize=10_000)
def order_of(text: str) -> Order:
    """Return the order from the text that `engine.sim.simulation` writes, such as `"03(12)"`."""
    groups: list[tuple[int, ...]] = []
    shared: list[int] | None = None
    for letter in text:
        if letter == "(":
            shared = []
        elif letter == ")":
            groups.append(tuple(shared or ()))
            shared = None
        elif shared is not None:
            shared.append(int(letter))
        else:
            groups.append((int(letter),))
    return tuple(groups)


def fit(orders: Mapping[Order, int], entries: int, begin: Sequence[float] = ()) -> list[float]:
    """Return each entry's strength: its chance to win is its share of the table's strengths.

    Hunter's MM algorithm (Annals of Statistics 32, 2004). All members of a shared place count as
    chosen from those left (Breslow's method for ties). One win and one loss against a player of
    strength 1 are added for each entry, so that an entry that never loses has a strength too.
    The geometric mean is 1.
    """
    stages: Counter[tuple[tuple[int, ...], int]] = Counter()
    wins = [1.0] * entries
    for order, games in orders.items():
        left = tuple(entry for group in order for entry in group)
        for group in order:
            if len(left) == len(group):
                break
            stages[tuple(sorted(left)), len(group)] += games
            for entry in group:
                wins[entry] += games
            left = left[len(group) :]
    strengths = list(begin) or [1.0] * entries
    for _ in range(_ITERATIONS):
        weights = [2 / (strength + 1) for strength in strengths]
        for (left, chosen), games in stages.items():
            share = games * chosen / sum(strengths[entry] for entry in left)
            for entry in left:
                weights[entry] += share
        fitted = [win / weight for win, weight in zip(wins, weights, strict=True)]
        middle = math.exp(sum(map(math.log, fitted)) / len(fitted))
        fitted = [strength / middle for strength in fitted]
        moved = max(abs(math.log(a / b)) for a, b in zip(fitted, strengths, strict=True))
        strengths = fitted
        if moved < _CLOSE:
            break
    return strengths


def rate(
    deals: Sequence[Mapping[Order, int]],
    entries: int,
    seed: str,
    samples: int = 200,
    *,
    zero: Sequence[int] = (),
) -> list[EloRating]:
    """Return ratings with intervals by a bootstrap over deals (or blocks of deals).

    Each element of `deals` counts the orders of the games that belong together. The bootstrap
    gives the standard error and Student's t the width: with few deals the bootstrap's own
    quantiles would cover the truth far too seldom. One deal gives the largest margin. The same
    seed gives the same intervals. Ratings and intervals are relative to the mean of the entries
    `zero`, or of all entries without them.
    """
    strengths = fit(_total(deals), entries)
    rng = Random(f"bootstrap|{seed}")
    refits = [
        fit(_total(rng.choices(deals, k=len(deals))), entries, strengths) for _ in range(samples)
    ]
    found = []
    begin, *samples_from = (_level(strengths, zero) for strengths in (strengths, *refits))
    for entry, strength in enumerate(strengths):
        sample = [
            _elo(refit[entry]) - level for refit, level in zip(refits, samples_from, strict=True)
        ]
        rating, margin = _elo(strength) - begin, _margin(sample, len(deals))
        found.append(EloRating(rating, rating - margin, rating + margin))
    return found


def _level(strengths: Sequence[float], zero: Sequence[int]) -> float:
    """Return the mean of the entries `zero` in Elo points; 0 if there are none."""
    return sum(_elo(strengths[entry]) for entry in zero) / len(zero) if zero else 0.0


def _margin(sample: Sequence[float], deals: int) -> float:
    """Return half the width of the 95 % interval, at most `MOST_MARGIN`."""
    if deals < 2:
        return MOST_MARGIN
    # Resampled deals vary less than new ones would, by this factor.
    error = stdev(sample) * math.sqrt(deals / (deals - 1))
    return min(MOST_MARGIN, t_quantile(deals - 1) * error)


def _total(deals: Sequence[Mapping[Order, int]]) -> Counter[Order]:
    total: Counter[Order] = Counter()
    for orders in deals:
        for order, games in orders.items():
            total[order] += games
    return total


def _elo(strength: float) -> float:
    return ELO * math.log(strength)
