"""The search for the tables of one round, given the rounds already played."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from league.seating.history import Past, due_chairs
from league.seating.quality import meetings
from league.seating.sizes import FULL
from league.seating.wishes import CLUB_WEIGHT, Wishes

APART, SHORT, REPEAT, CLUB, CHAIR = 1_000_000, 50_000, 400, 240, 5
RECENT, WINDOW, LONG_AGO = 20_000, 4, 40
TOGETHER = -400_000
STEPS = 40


@dataclass(frozen=True)
class Costs:
    """The cost of a table: repeat meetings, distant scores, chairs not due, unfair short tables."""

    near: list[dict[int, float]]
    level: list[float]
    due: list[int]
    short: list[float]
    full: int

    def of(self, table: Sequence[int]) -> float:
        total = 0.0
        level = self.level
        near = self.near
        for p, q in combinations(table, 2):
            gap = level[p] - level[q]
            total += near[p].get(q, 0.0) + gap * gap
        if len(table) < self.full:
            total += sum(self.short[p] for p in table)
        elif len(table) == FULL:
            total += CHAIR * missing_chairs(*[self.due[p] for p in table])
        return total


def round_costs(
    past: Past, wishes: Wishes, scores: Sequence[float] | None, sizes: Sequence[int]
) -> Costs:
    """Return the costs of tables for the players present.

    A pair's c-th repeat costs 2 ** (c - 1) repeats. With scores, a meeting of the last `WINDOW`
    rounds costs more than any gap in scores, and older ones hardly count. The unit of scores is a
    third of their spread per round, so the points system does not matter. The cost of short tables
    keeps their numbers as even as possible.
    """
    repeat = LONG_AGO if scores else REPEAT
    near = [{q: float(repeat * (2**times - 1)) for q, times in row.items()} for row in past.met]
    if scores:
        for a, b in set(meetings(past.rounds[-WINDOW:])):
            near[a][b] += RECENT
            near[b][a] += RECENT
    for player, avoided in wishes.weights().items():
        for other, weight in avoided.items():
            price = APART if weight > CLUB_WEIGHT else CLUB if weight > 0 else TOGETHER
            near[player][other] = near[player].get(other, 0.0) + price
    least = min(past.short, default=0)
    everyone = range(len(past.present))
    short = [float(SHORT * (past.short[p] - least)) for p in everyone]
    due = [due_chairs(past, p) for p in everyone]
    return Costs(near, _levels(scores, past), due, short, max(sizes, default=0))


def search_round(
    tables: list[list[int]],
    costs: Costs,
    rng: random.Random,
    *,
    proposals: int,
    hot: float,
    cold: float,
) -> list[list[int]]:
    """Return the cheapest tables found by exchanging players, mostly between neighbouring tables.

    Simulated annealing from temperature `hot` to `cold`. One player of each exchange comes from
    the most expensive of four random tables.
    """
    price = [costs.of(table) for table in tables]
    best, best_cost = [list(table) for table in tables], sum(price)
    if len(tables) < 2:
        return best
    for step in range(STEPS):
        temperature = hot * (cold / hot) ** (step / (STEPS - 1))
        _exchange(tables, price, costs, rng, proposals // STEPS, temperature)
        if sum(price) < best_cost:
            best, best_cost = [list(table) for table in tables], sum(price)
        if best_cost == 0:
            break
    return best


def _exchange(
    tables: list[list[int]],
    price: list[float],
    costs: Costs,
    rng: random.Random,
    proposals: int,
    temperature: float,
) -> None:
    rand, count, of = rng.random, len(tables), costs.of
    for _ in range(proposals):
        t = int(rand() * count)
        for _ in range(3):
            other = int(rand() * count)
            if price[other] > price[t]:
                t = other
        reach = 1 << int(rand() * 8)
        u = t + int(rand() * (2 * reach + 1)) - reach
        if u == t or not 0 <= u < count:
            continue
        a, b = tables[t], tables[u]
        i, j = int(rand() * len(a)), int(rand() * len(b))
        a[i], b[j] = b[j], a[i]
        new_a, new_b = of(a), of(b)
        worse = new_a + new_b - price[t] - price[u]
        if worse <= 0 or rand() < math.exp(-worse / temperature):
            price[t], price[u] = new_a, new_b
        else:
            a[i], b[j] = b[j], a[i]


@cache
def missing_chairs(*due: int) -> int:
    """Return the least number of these players who get no due chair, given one player per chair."""
    for size in range(len(due), 0, -1):
        for group in combinations(due, size):
            if _matched(group):
                return len(due) - size
    return len(due)


def _matched(masks: Sequence[int]) -> bool:
    """Return whether the masks have distinct representatives (Hall's condition)."""
    for size in range(1, len(masks) + 1):
        for group in combinations(masks, size):
            union = 0
            for mask in group:
                union |= mask
            if union.bit_count() < size:
                return False
    return True


def _levels(scores: Sequence[float] | None, past: Past) -> list[float]:
    if not scores:
        return [0.0] * len(past.present)
    unit = (max(scores) - min(scores)) / (3 * max(1, len(past.rounds))) or 1.0
    return [score / unit for score in scores]
