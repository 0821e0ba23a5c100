"""Streaks of a player: consecutive wins, and consecutive games without last place."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class StreakGame(NamedTuple):
    """One game of a player: place `rank` at a table of `size`, shared by `tied` players."""

    rank: int
    size: int
    tied: int = 1

    @property
    def is_first(self) -> bool:
        """Whether the player won, alone or tied."""
        return self.rank == 1

    @property
    def is_last(self) -> bool:
        """Whether nobody finished behind the player."""
        return self.rank + self.tied - 1 == self.size


class Streaks(NamedTuple):
    """The longest and the current streaks; a current streak is 0 if the last game ended it."""

    wins: int
    not_last: int
    wins_now: int
    not_last_now: int


def streaks(games: Sequence[StreakGame]) -> Streaks:
    """Return the streaks of games in the order of play.

    >>> streaks([Game(1, 4), Game(1, 4), Game(4, 4), Game(2, 4)])
    Streaks(wins=2, not_last=2, wins_now=0, not_last_now=1)
    """
    wins, wins_now = _runs(games, lambda game: game.is_first)
    never_last, never_last_now = _runs(games, lambda game: not game.is_last)
    return Streaks(wins, never_last, wins_now, never_last_now)


def _runs(games: Iterable[StreakGame], holds: Callable[[StreakGame], bool]) -> tuple[int, int]:
    longest = now = 0
    for game in games:
        now = now + 1 if holds(game) else 0
        longest = max(longest, now)
    return longest, now
