"""The division of a batch into goes of a few seconds, each resuming after the finished games.

A slow bot's batch thus ends after some goes, and no go blocks a worker for too long. A game is
stored as its decisions: games, digest and tally equal those of a batch played at once.
"""

import time
from collections.abc import Iterable
from typing import Any

from engine.sim.faults import GameLog
from tables.programs.apart import Alive

GamesSoFar = list[list[Any]]
"""Of each finished game: its deal, number in the deal, decisions, and thinking times."""


class TimeIsUp(Exception):
    """Raised when a go's time is over; its games are stored and the rest left for the next go."""


class Go:
    """A go: the finished games of a batch, then new ones for some seconds.

    It plays at least one new game, so that every go makes progress. The time starts with that game.
    """

    def __init__(self, begun: Iterable[Any], seconds: float, alive: Alive) -> None:
        self._logs = {
            (deal, game): GameLog(entries, [(bot, spent) for bot, spent in thoughts])
            for deal, game, entries, thoughts in begun
        }
        self._seconds, self._alive = seconds, alive
        self._until: float | None = None

    def log(self, deal: int, game: int) -> GameLog:
        """Return a game's decisions so far; raise `TimeIsUp` if a new game may not begin."""
        self._alive()
        known = self._logs.get((deal, game))
        if known is not None:
            return known
        now = time.monotonic()
        if self._until is None:
            self._until = now + self._seconds
        elif now >= self._until:
            raise TimeIsUp
        self._logs[deal, game] = log = GameLog()
        return log

    def games(self) -> GamesSoFar:
        return [[*key, log.entries, log.thoughts] for key, log in self._logs.items()]
