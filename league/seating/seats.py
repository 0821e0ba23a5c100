"""Balanced chairs: an edge colouring of players and tables gives everyone each chair equally often.

A player's tables of one size are cut, in order of play, into runs as long as the table has
chairs. Runs and tables form a bipartite graph whose degrees do not exceed the number of chairs,
so by Kőnig's theorem the chairs can colour its edges: in each full run a player has every chair
once.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from league.seating.sizes import SeatedRound

SeatRun = tuple[int, int, int]


class Chairs:
    """The assignment of chairs at every table of a schedule.

    `at[t]` lists the players of table t by chair. Exchanging two chairs along a `chain` keeps the
    balance.
    """

    def __init__(self, schedule: Sequence[SeatedRound]) -> None:
        self.shape = [len(tables) for tables in schedule]
        self.at: list[list[int]] = []
        self._table_of: dict[SeatRun, dict[int, int]] = defaultdict(dict)
        self._run_of: list[dict[int, SeatRun]] = []
        games: Counter[tuple[int, int]] = Counter()
        for table in (table for tables in schedule for table in tables):
            size, index = len(table), len(self.at)
            self.at.append([-1] * size)
            self._run_of.append({})
            for player in table:
                self._run_of[index][player] = (player, size, games[player, size] // size)
                games[player, size] += 1
                self._seat(index, player)

    def rounds(self) -> list[SeatedRound]:
        """Return the schedule with each table in seat order."""
        tables = iter(self.at)
        return [[list(next(tables)) for _ in range(count)] for count in self.shape]

    def chain(self, table: int, one: int, other: int) -> list[int] | None:
        """Return the sorted tables at which the two chairs must be exchanged together.

        Return None if a missing chair prevents the exchange.
        """
        found, todo = {table}, [table]
        while todo:
            current = todo.pop()
            seats = self.at[current]
            if max(one, other) >= len(seats):
                return None
            for chair, wanted in ((one, other), (other, one)):
                following = self._next(current, seats[chair], wanted)
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

    def _seat(self, table: int, player: int) -> None:
        free = [chair for chair, taken in enumerate(self.at[table]) if taken < 0]
        run = self._table_of[self._run_of[table][player]]
        due = [chair for chair in range(len(self.at[table])) if chair not in run]
        chair = next((chair for chair in due if chair in free), due[0])
        if chair not in free:
            self._open(table, chair, free[0])
        self.at[table][chair] = player
        self._note(table, chair)

    def _open(self, table: int, chair: int, free: int) -> None:
        """Move players so that `chair` is free instead of `free`."""
        tables = [table]
        while (player := self.at[tables[-1]][chair]) >= 0:
            following = self._next(tables[-1], player, free)
            if following is None:
                break
            tables.append(following)
        self.exchange(tables, chair, free)

    def _next(self, table: int, player: int, chair: int) -> int | None:
        return None if player < 0 else self._table_of[self._run_of[table][player]].get(chair)

    def _note(self, table: int, chair: int) -> None:
        player = self.at[table][chair]
        if player >= 0:
            self._table_of[self._run_of[table][player]][chair] = table
