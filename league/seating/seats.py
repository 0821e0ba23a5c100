"""Balanced chairs: an edge colouring of players and tables gives everyone each chair equally often.

A player's tables of one size are cut, in order of play, into runs as long as the table has
chairs. Runs and tables form a bipartite graph whose degrees do not exceed the number of chairs,
so by Kőnig's theorem the chairs can colour its edges: in each full run a player has every chair
once.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from league.seating.sizes import SeatedRound

SeatRun = tuple[int, int, int]
PASSES = 60


class Chairs:
    """The assignment of chairs at every table of a schedule.

    `at[t]` lists the players of table t by chair. Exchanging two chairs along a `chain` keeps the
    balance.
    """

    def __init__(self, schedule: Sequence[SeatedRound], fixed: Mapping[int, int]) -> None:
        self.fixed = fixed
        self.shape = [len(tables) for tables in schedule]
        self.at: list[list[int]] = []
        self._table_of: dict[SeatRun, dict[int, int]] = defaultdict(dict)
        self._run_of: list[dict[int, SeatRun]] = []
        games: Counter[tuple[int, int]] = Counter()
        for table in (table for tables in schedule for table in tables):
            self._add(table, games)

    def rounds(self) -> list[SeatedRound]:
        """Return the schedule with each table in seat order."""
        tables = iter(self.at)
        return [[list(next(tables)) for _ in range(count)] for count in self.shape]

    def chain(self, table: int, one: int, other: int) -> list[int] | None:
        """Return the sorted tables at which the two chairs must be exchanged together.

        Return None if a fixed seat or a missing chair prevents the exchange.
        """
        found, todo = {table}, [table]
        while todo:
            current = todo.pop()
            seats = self.at[current]
            if max(one, other) >= len(seats):
                return None
            for chair, wanted in ((one, other), (other, one)):
                player = seats[chair]
                if player in self.fixed:
                    return None
                following = self._next(current, player, wanted)
                if following is not None and following not in found:
                    found.add(following)
                    todo.append(following)
        return sorted(found)

    def exchange(self, tables: Sequence[int], one: int, other: int) -> None:
        """Exchange two chairs at all of these tables."""
        for table in tables:
            seats = self.at[table]
            seats[one], seats[other] = seats[other], seats[one]
        for table in tables:
            for chair in (one, other):
                player = self.at[table][chair]
                if player >= 0:
                    self._table_of[self._run_of[table][player]].pop(one + other - chair, None)
        for table in tables:
            self._note(table, one)
            self._note(table, other)

    def _add(self, table: Sequence[int], games: Counter[tuple[int, int]]) -> None:
        size, index = len(table), len(self.at)
        self.at.append([-1] * size)
        self._run_of.append({})
        for player in sorted(table, key=lambda p: p not in self.fixed):
            run, fixed = games[player, size] // size, self.fixed.get(player)
            games[player, size] += 1
            if fixed is not None:
                run = -games[player, size]  # each game with a fixed seat is a run of its own
            self._run_of[index][player] = (player, size, run)
            self._seat(index, player, fixed)

    def _seat(self, table: int, player: int, fixed: int | None) -> None:
        free = [chair for chair, taken in enumerate(self.at[table]) if taken < 0]
        if fixed is not None:
            return self._place(table, player, fixed if fixed in free else free[0])
        run = self._table_of[self._run_of[table][player]]
        for chair in free:
            if chair not in run:
                return self._place(table, player, chair)
        unused = [chair for chair in range(len(self.at[table])) if chair not in run]
        for chair in unused:
            if self._open(table, chair, free[0]):
                return self._place(table, player, chair)
        size = len(self.at[table])
        self._run_of[table][player] = (player, size, -1 - table)  # no due chair can be freed
        return self._place(table, player, free[0])

    def _open(self, table: int, chair: int, free: int) -> bool:
        """Move players to make `chair` free instead of `free`; return whether that worked."""
        tables = [table]
        while (player := self.at[tables[-1]][chair]) >= 0:
            if player in self.fixed:
                return False
            following = self._next(tables[-1], player, free)
            if following is None:
                break
            tables.append(following)
        self.exchange(tables, chair, free)
        return True

    def _next(self, table: int, player: int, chair: int) -> int | None:
        return None if player < 0 else self._table_of[self._run_of[table][player]].get(chair)

    def _place(self, table: int, player: int, chair: int) -> None:
        self.at[table][chair] = player
        self._note(table, chair)

    def _note(self, table: int, chair: int) -> None:
        player = self.at[table][chair]
        if player >= 0:
            self._table_of[self._run_of[table][player]][chair] = table


def even_chairs(
    schedule: Sequence[SeatedRound], fixed: Mapping[int, int], rng: random.Random
) -> None:
    """Exchange chairs within tables to even out the players who sit with fixed seats."""
    if not fixed:
        return
    used: Counter[tuple[int, int, int]] = Counter()
    tables = [table for tables in schedule for table in tables if len(table) > 1]
    for table in tables:
        used.update((player, len(table), chair) for chair, player in enumerate(table))
    for _ in range(PASSES * len(tables)):
        table = tables[int(rng.random() * len(tables))]
        one, other = rng.sample(range(len(table)), 2)
        p, q, size = table[one], table[other], len(table)
        if p in fixed or q in fixed:
            continue
        worse = (
            used[p, size, other] - used[p, size, one] + used[q, size, one] - used[q, size, other]
        )
        if worse + 2 <= 0:
            used.subtract([(p, size, one), (q, size, other)])
            used.update([(p, size, other), (q, size, one)])
            table[one], table[other] = q, p
