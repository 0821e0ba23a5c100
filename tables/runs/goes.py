"""A batch is played in goes of some seconds: the next one begins after the games that are over.

So a slow bot's batch ends as well, in as many goes as it takes, and no go is longer than a worker
may be away. What is kept of a game is what was decided in it: its games, its digest and its tally
are those of a batch that is played at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from engine.sim.faults import GameLog
from tables.programs.apart import Alive

GamesSoFar = list[list[Any]]
"""Of each game that is over its deal, its number in it, what was decided, and thinking times."""


class TimeIsUp(Exception):
    """Raised where a go is over: the games so far are kept, and the others left for the next."""


class Go:
    """The games of a batch, those that are over first; new ones begin for some seconds.

    At least one new game is played, so that each go gets on. The seconds begin with it.
    """

    def __init__(self, begun: Iterable[Any], seconds: float, alive: Alive) -> None:
        self._logs = {
            (deal, game): GameLog(entries, [(bot, spent) for bot, spent in thoughts])
            for deal, game, entries, thoughts in begun
        }
        self._seconds, self._alive = seconds, alive
        self._until: float | None = None

    def log(self, deal: int, game: int) -> GameLog:
        """Return what is decided in a game so far; raises TimeIsUp where it is not to begin."""
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
        """Return what to keep of the games."""
        return [[*key, log.entries, log.thoughts] for key, log in self._logs.items()]
