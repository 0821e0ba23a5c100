"""Simulated annealing of a whole schedule, for requests without a construction."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from league.seating.sizes import SeatedRound, even_pairs, pairs

PairWeights = list[list[int]]
HOT, COLD, STEPS = 0.6, 0.15, 60
LIMIT = 120
STRAY = 0.1  # The share of exchanges that begin with any player where a walk repairs.


def anneal(
    schedule: Sequence[SeatedRound],
    weights: PairWeights,
    rng: random.Random,
    *,
    iterations: int,
    shortage: Sequence[int] = (),
    frozen: int = 0,
    hot: float = HOT,
    meeting: int = 3,
    repairs: bool = False,
) -> list[SeatedRound]:
    """Return the cheapest schedule found by `iterations` exchanges of two players in a round.

    A pair that meets for the c-th time costs meeting * (weights[a][b] + c - 1); `weights` is
    square, symmetric, zero on its diagonal, negative for pairs wanted together, and not changed.
    `shortage` is the cost of each player's first short table; each further one costs 2 more, which
    spreads them. The first `frozen` rounds stay. The walk starts at temperature `hot` and is
    deterministic for given random numbers. One that `repairs` mostly moves players who meet
    someone again: a schedule with few repeats is mended with a tenth of the exchanges.
    """
    walk = _Walk(schedule, weights, shortage, frozen, meeting, repairs=repairs)
    best, best_cost = [], walk.cost + 1
    for step in range(STEPS):
        temperature = hot * (COLD / hot) ** (step / (STEPS - 1))
        walk.run(iterations // STEPS, temperature, rng)
        if walk.cost < best_cost:
            best, best_cost = walk.copy(), walk.cost
        if walk.cost <= walk.floor:
            break
    return best or [[list(table) for table in tables] for tables in schedule]


def cost_of(schedule: Sequence[SeatedRound], weights: PairWeights, shortage: Sequence[int]) -> int:
    """Return what `anneal` minimises by default."""
    return _Walk(schedule, weights, shortage, 0, 3).cost


class _Walk:
    def __init__(
        self,
        schedule: Sequence[SeatedRound],
        weights: PairWeights,
        shortage: Sequence[int],
        frozen: int,
        meeting: int,
        *,
        repairs: bool = False,
    ) -> None:
        self.schedule = [[list(table) for table in tables] for tables in schedule]
        self.count = [list(row) for row in weights]
        self.wished = sum(weight for row in weights for weight in row if weight < 0) // 2
        self.frozen = frozen
        self.meeting = meeting
        self.full = max((len(t) for tables in self.schedule for t in tables), default=0)
        self.short = list(shortage) or [0] * len(weights)
        self.table_of = [
            {player: table for table in tables for player in table} for tables in self.schedule
        ]
        self.cost = 0
        seats = Counter[int]()
        for tables in self.schedule:
            for table in tables:
                for a, b in combinations(table, 2):
                    self.cost += meeting * self.count[a][b]
                    self.count[a][b] += 1
                    self.count[b][a] += 1
                if len(table) < max(map(len, tables)):
                    seats.update(table)
        for player, times in seats.items():
            self.cost += times * self.short[player] + times * (times - 1)
            self.short[player] += 2 * times
        self.floor = self._floor(len(weights), sum(seats.values()))
        self.again: list[tuple[int, int]] = []
        self.repairs = repairs
        if repairs:
            for i, tables in enumerate(self.schedule):
                self._note(i - frozen, tables)

    def copy(self) -> list[SeatedRound]:
        return [[list(table) for table in tables] for tables in self.schedule]

    def run(self, iterations: int, temperature: float, rng: random.Random) -> None:
        """Try exchanges; accept one that costs d with chance exp(-d / meeting / temperature)."""
        meeting = self.meeting
        chances = [math.exp(-d / meeting / temperature) for d in range(LIMIT)]
        rand, count, short, frozen = rng.random, self.count, self.short, self.frozen
        live = [
            (tables, self.table_of[i], list(self.table_of[i]))
            for i, tables in enumerate(self.schedule)
        ]
        live = [entry for entry in live[frozen:] if len(entry[0]) > 1]
        rounds, floor, cost = len(live), self.floor, self.cost
        if not rounds:
            return
        again, repairs = self.again, self.repairs
        for _ in range(iterations):
            if again and rand() >= STRAY:
                at = int(rand() * len(again))
                r, p = again[at]
                _, where, players = live[r]
                row_p = count[p]
                for x in where[p]:
                    if row_p[x] > 1:
                        break
                else:  # Mended since it was noted.
                    again[at] = again[-1]
                    again.pop()
                    continue
            else:
                r = int(rand() * rounds)
                _, where, players = live[r]
                p = players[int(rand() * len(players))]
            q = players[int(rand() * len(players))]
            a, b = where[p], where[q]
            if a is b:
                continue
            row_p, row_q = count[p], count[q]
            delta = len(a) + len(b) - 2 - 2 * row_p[q]
            for x in a:
                delta += row_q[x] - row_p[x]
            for y in b:
                delta += row_p[y] - row_q[y]
            delta *= meeting
            if len(a) != len(b):
                up, down = (q, p) if len(a) < len(b) else (p, q)
                delta += short[up] - short[down] + 2
            if delta > 0 and (delta >= LIMIT or rand() >= chances[delta]):
                continue
            cost += delta
            a[a.index(p)], b[b.index(q)] = q, p
            where[p], where[q] = b, a
            self._recount(p, q, a, b)
            if repairs:
                self._note(r, (a, b))
            if cost <= floor:
                break
        self.cost = cost

    def _note(self, number: int, tables: Sequence[Sequence[int]]) -> None:
        """Add who meets someone again at these tables of a round to `again`."""
        count = self.count
        for table in tables:
            for x in table:
                row = count[x]
                for y in table:
                    if row[y] > 1:
                        self.again.append((number, x))
                        break

    def _recount(self, p: int, q: int, a: list[int], b: list[int]) -> None:
        """Update the counts after p moved from table a to b and q from b to a."""
        count = self.count
        for table, come, gone in ((a, q, p), (b, p, q)):
            row_come, row_gone = count[come], count[gone]
            for x in table:
                if x != come:
                    row_come[x] += 1
                    row_gone[x] -= 1
                    count[x][come] += 1
                    count[x][gone] -= 1
        if len(a) != len(b):
            change = 2 if len(a) < len(b) else -2
            self.short[q] += change
            self.short[p] -= change

    def _floor(self, players: int, short_seats: int) -> int:
        """Return the cost of meetings and short tables when both are spread evenly."""
        met = sum(pairs(len(table)) for tables in self.schedule for table in tables)
        least = even_pairs(met, pairs(players)) + len(self.schedule) * self.wished
        return self.meeting * least + 2 * even_pairs(short_seats, players)
