"""Partners at a table, found by what they do: one comes before third parties more often with both.

The model of the ratings says how often a bot comes before each other one. If another bot helps it,
it comes before *third parties* more often than that while both sit at its table. A deal is the
unit, as everywhere; the doubt is corrected for the number of pairs, and an effect below `LEAST` is
a matter of style and not of help.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from engine.statistics.ratings import Order, fit

DOUBT = 0.01
"""The share of honest seasons in which any pair is named."""
LEAST = 0.03
"""The least gain against each third party that is told, as a share of the games."""
FEWEST = 30
"""The fewest deals of a pair."""


@dataclass(frozen=True)
class Partner:
    """How much `one` gains against third parties while `helper` is at its table.

    `gain` is a share of games, with its standard `error` over deals.
    """

    one: int
    helper: int
    gain: float
    error: float
    deals: int


def partners(deals: Sequence[Mapping[Order, int]], entries: int) -> list[Partner]:
    """Return the pairs that stand out, the largest gain first."""
    total: Counter[Order] = Counter()
    for orders in deals:
        total.update(orders)
    strengths = fit(total, entries)
    own: list[dict[int, float]] = [{} for _ in range(entries)]
    gains: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)
    for number, orders in enumerate(deals):
        for (one, helper), gain in _of_deal(orders, strengths).items():
            if one == helper:
                own[one][number] = gain
            else:
                gains[one, helper][number] = gain
    known = {pair: row for pair, row in gains.items() if len(row) >= FEWEST}
    line = NormalDist().inv_cdf(1 - DOUBT / max(1, len(known)))
    found = [_partner(pair, row, own[pair[0]]) for pair, row in known.items()]
    return sorted(
        (one for one in found if one.gain - LEAST > line * one.error), key=lambda one: -one.gain
    )


def _of_deal(
    orders: Mapping[Order, int], strengths: Sequence[float]
) -> dict[tuple[int, int], float]:
    """Return each pair's mean gain over the games of a deal, and each bot's own as (bot, bot)."""
    sums: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for order, games in orders.items():
        for pair, gain in _of_game(order, strengths).items():
            sums[pair][0] += games * gain
            sums[pair][1] += games
    return {pair: gain / games for pair, (gain, games) in sums.items()}


def _of_game(order: Order, strengths: Sequence[float]) -> dict[tuple[int, int], float]:
    """Return each bot's mean gain over the others of a game, and over those but one helper."""
    place = {entry: number for number, group in enumerate(order) for entry in group}
    if len(place) < 3:
        return {}
    found = {}
    for one in place:
        over = {
            third: _beat(place[one], place[third])
            - strengths[one] / (strengths[one] + strengths[third])
            for third in place
            if third != one
        }
        whole = sum(over.values())
        found[one, one] = whole / len(over)
        for helper in over:
            found[one, helper] = (whole - over[helper]) / (len(over) - 1)
    return found


def _beat(one: int, other: int) -> float:
    return 0.5 if one == other else float(one < other)


def _partner(pair: tuple[int, int], row: Mapping[int, float], own: Mapping[int, float]) -> Partner:
    """Return the gain with the helper, beyond that of the deals without it if there are enough."""
    mean, square = _mean([*row.values()])
    alone = [gain for deal, gain in own.items() if deal not in row]
    base, more = _mean(alone) if len(alone) >= FEWEST else (0.0, 0.0)
    return Partner(*pair, mean - base, math.sqrt(square + more), len(row))


def _mean(gains: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the square of its standard error."""
    mean = sum(gains) / len(gains)
    spread = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
    return mean, spread / len(gains)
