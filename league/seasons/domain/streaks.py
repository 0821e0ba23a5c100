"""Runs of games of one person: how long someone kept winning, or kept out of the last place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class StreakGame(NamedTuple):
    """One game of a person: place `rank` at a table of `size`, shared by `tied`."""

    rank: int
    size: int
    tied: int = 1

    @property
    def is_first(self) -> bool:
        """Whether the person won, alone or shared."""
        return self.rank == 1

    @property
    def is_last(self) -> bool:
        """Whether nobody finished after the person."""
        return self.rank + self.tied - 1 == self.size


class Streaks(NamedTuple):
    """The longest runs of games, and those that have not ended: 0 after a game that ends one."""

    wins: int
    not_last: int
    wins_now: int
    not_last_now: int


def streaks(games: Sequence[StreakGame]) -> Streaks:
    """Return the runs of games in the order in which they were played.

    >>> streaks([Game(1, 4), Game(1, 4), Game(4, 4), Game(2, 4)])
    Streaks(wins=2, not_last=2, wins_now=0, not_last_now=1)
    """
    wins, wins_now = _runs(games, lambda game: game.is_first)
    kept, kept_now = _runs(games, lambda game: not game.is_last)
    return Streaks(wins, kept, wins_now, kept_now)


def _runs(games: Iterable[StreakGame], holds: Callable[[StreakGame], bool]) -> tuple[int, int]:
    longest = now = 0
    for game in games:
        now = now + 1 if holds(game) else 0
        longest = max(longest, now)
    return longest, now
