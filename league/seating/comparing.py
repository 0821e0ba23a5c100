"""Who holds the same cards on a duplicate night: chairs that spread comparisons evenly.

Those who play the same deals from one chair, at tables of one size, hold the same hands and are
compared. A plan is good if meetings m, comparisons c and their sums m + c are even over all pairs.
The tables fix the meetings: of m² + c² + (m + c)² the chairs change 2 (c² + m c), which counts
pairs who are together twice, in two chairs or in a chair and at a table. Team-mates hold different
hands, so that each hand is a match between teams.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, count

from league.seating.quality import meetings
from league.seating.sizes import SeatedRound, SeatedTable, even_pairs, pairs

HOT, COLD, STEPS = 2.0, 0.3, 60
EACH, MOST = 10_000, 400_000
MATES = 20
"""The cost of team-mates who hold the same hand."""


def comparisons(rounds: Sequence[SeatedRound]) -> Counter[tuple[int, int]]:
    """Return how often each pair holds the same hands, at tables in seat order."""
    return Counter(
        (min(pair), max(pair))
        for holders in _holders(rounds).values()
        for pair in combinations(holders, 2)
    )


def compare_evenly(
    schedule: Sequence[SeatedRound],
    rng: random.Random,
    *,
    past: Sequence[SeatedRound] = (),
    teams: Mapping[int, int | None] | None = None,
) -> list[SeatedRound]:
    """Return the rounds with each table in the seat order that spreads comparisons evenly.

    `past` holds earlier rounds, whose chairs count and stay. Simulated annealing: two players of a
    table exchange chairs.
    """
    drawn = [[rng.sample(table, len(table)) for table in tables] for tables in schedule]
    walk = _ChairWalk([*past, *drawn], len(past), teams or {})
    players = len({player for tables in schedule for table in tables for player in table})
    for step in range(STEPS):
        if walk.cost <= walk.floor:
            break
        exchanges = min(MOST, EACH * players) // STEPS
        walk.run(exchanges, HOT * (COLD / HOT) ** (step / (STEPS - 1)), rng)
    return drawn


def cost(rounds: Sequence[SeatedRound], teams: Mapping[int, int | None] | None = None) -> int:
    """Return the sum over all pairs of c² + m c, with `MATES` c for team-mates."""
    met, compared, of = meetings(rounds), comparisons(rounds), teams or {}
    return sum(
        times * (times + met[a, b] + MATES * (of.get(a) is not None and of.get(a) == of.get(b)))
        for (a, b), times in compared.items()
    )


def least_cost(rounds: Sequence[SeatedRound]) -> int:
    """Return a lower bound of the cost over all seat orders.

    The chairs of two rounds share players, at best equally many in each pair of chairs, which
    bounds c². Even sums m + c bound the rest.
    """
    players = len({player for tables in rounds for table in tables for player in table})
    chairs: dict[int, list[int]] = defaultdict(list)
    for (number, *_chair), holders in _holders(rounds).items():
        chairs[number].append(len(holders))
    compared = sum(pairs(size) for sizes in chairs.values() for size in sizes)
    squares = compared + 2 * sum(
        even_pairs(max(0, sum(one) + sum(other) - players), len(one) * len(other))
        for one, other in combinations(chairs.values(), 2)
    )
    met = meetings(rounds)
    together = compared + met.total()
    even = 2 * even_pairs(together, pairs(players)) + together
    both = max(0, even - squares - sum(times * times for times in met.values()))
    return squares + -(-both // 2)


def _holders(rounds: Sequence[SeatedRound]) -> dict[tuple[int, int, int], list[int]]:
    """Return who holds each hand, by round, size of the table and chair."""
    found: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, tables in enumerate(rounds):
        for table in tables:
            for chair, player in enumerate(table):
                found[number, len(table), chair].append(player)
    return found


class _ChairWalk:
    """A walk over the seat orders of all rounds from number `first` on, changed in place.

    A player is in groups: the chairs (even indices) and the tables (odd ones) of the rounds, and
    last the team; 0 is none. `shared[chair][group]` counts the players in both.
    """

    def __init__(
        self, rounds: Sequence[SeatedRound], first: int, teams: Mapping[int, int | None]
    ) -> None:
        numbers: dict[tuple[int, ...], int] = defaultdict(count(1).__next__)
        last = 2 * len(rounds) + 1
        self.weights = [2, 1] * len(rounds) + [0, MATES]
        self.groups: dict[int, list[int]] = defaultdict(lambda: [0] * (last + 1))
        self.live: list[tuple[int, SeatedTable]] = []
        for number, tables in enumerate(rounds):
            for at, table in enumerate(tables):
                if number >= first and len(table) > 1:
                    self.live.append((2 * number, table))
                for chair, player in enumerate(table):
                    self.groups[player][2 * number] = numbers[number, len(table), chair]
                    self.groups[player][2 * number + 1] = numbers[-1, number, at]
        for player, mine in self.groups.items():
            if (team := teams.get(player)) is not None:
                mine[last] = numbers[-2, team]
        self.shared = [[0] * (len(numbers) + 1) for _ in range(len(numbers) + 1)]
        for mine in self.groups.values():
            for chair in mine[::2]:
                for group in mine:
                    self.shared[chair][group] += 1
        self.cost, self.floor = cost(rounds, teams), least_cost(rounds)

    def run(self, exchanges: int, temperature: float, rng: random.Random) -> None:
        """Try exchanges; accept one that costs d with chance exp(-d / temperature)."""
        rand = rng.random
        for _ in range(exchanges):
            board, table = self.live[int(rand() * len(self.live))]
            one, other = int(rand() * len(table)), int(rand() * len(table))
            if one == other:
                continue
            delta = self._delta(board, table[one], table[other])
            if delta > 0 and rand() >= math.exp(-delta / temperature):
                continue
            self._exchange(board, table[one], table[other])
            table[one], table[other] = table[other], table[one]
            self.cost += delta
            if self.cost <= self.floor:
                break

    def _delta(self, board: int, p: int, q: int) -> int:
        mine, theirs = self.groups[p], self.groups[q]
        here, there = self.shared[mine[board]], self.shared[theirs[board]]
        delta = 0
        for at, (a, b, weight) in enumerate(zip(mine, theirs, self.weights, strict=True)):
            if a != b and at != board:
                more = (there[a] - here[a] + 1) * (a > 0) + (here[b] - there[b] + 1) * (b > 0)
                delta += weight * more
        return delta

    def _exchange(self, board: int, p: int, q: int) -> None:
        shared, mine, theirs = self.shared, self.groups[p], self.groups[q]
        here, there = mine[board], theirs[board]
        for at, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            if a != b and at != board:
                shared[here][a] -= 1
                shared[there][a] += 1
                shared[there][b] -= 1
                shared[here][b] += 1
                if not at & 1:
                    shared[a][here] -= 1
                    shared[a][there] += 1
                    shared[b][there] -= 1
                    shared[b][here] += 1
        mine[board], theirs[board] = there, here
