"""Renaming the players of a finished schedule so that the wishes fit."""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from league.seating.ghosts import opponents
from league.seating.sizes import SeatedRound
from league.seating.wishes import Wishes

ATTEMPTS, FEW_MATES, WARM = 600, 8, 0.7
TRIES, SMALL = 5, 120


def relabel(
    schedule: Sequence[SeatedRound], wishes: Wishes, rng: random.Random
) -> list[SeatedRound]:
    """Return the schedule with its players renamed so that the wishes fit.

    Renaming keeps the meetings as even as they were. Tables and the players within each table are
    shuffled as well, to hide a formula's pattern.
    """
    players = sum(map(len, schedule[0]))
    places = []
    for _ in range(TRIES if players <= SMALL else 1):
        places.append(_Placing(schedule, players, wishes, rng))
        places[-1].settle(ATTEMPTS * players)
        if not places[-1].total():
            break
    place = min(places, key=_Placing.total)
    renamed = [
        [[place.player_at[spot] for spot in table] for table in tables] for tables in schedule
    ]
    for tables in renamed:
        rng.shuffle(tables)
        tables.sort(key=len, reverse=True)
        for table in tables:
            rng.shuffle(table)
    return renamed


class _Placing:
    """A bijection between the spots of a schedule and players."""

    def __init__(
        self, schedule: Sequence[SeatedRound], players: int, wishes: Wishes, rng: random.Random
    ) -> None:
        self.rng = rng
        self.avoid: Mapping[int, Mapping[int, int]] = wishes.weights()
        self.met = opponents(schedule, players)
        self.player_at = self._start(players, wishes)
        self.spot_of = [0] * players
        for spot, player in enumerate(self.player_at):
            self.spot_of[player] = spot

    def _start(self, players: int, wishes: Wishes) -> list[int]:
        """Return a random order with clubs together: nobody meets inside a construction's class."""
        order = list(range(players))
        self.rng.shuffle(order)
        size = Counter(wishes.clubs.values())

        def rank(player: int) -> tuple[int, int]:
            club = wishes.clubs.get(player)
            return (0, 0) if club is None else (-size[club], club)

        return sorted(order, key=rank)

    def cost(self, player: int) -> int:
        met = self.met[self.spot_of[player]]
        spot_of = self.spot_of
        return sum(w * met[spot_of[other]] for other, w in self.avoid.get(player, {}).items())

    def total(self) -> int:
        return sum(map(self.cost, range(len(self.spot_of))))

    def settle(self, attempts: int) -> None:
        """Exchange spots of troubled players with random ones, by simulated annealing."""
        rand = self.rng.random
        watched = sorted(self.avoid)
        mates = max((len(others) for others in self.avoid.values()), default=0)
        attempts = attempts * FEW_MATES // max(FEW_MATES, mates)
        troubled: list[int] = []
        for attempt in range(attempts):
            if attempt % max(8, len(watched)) == 0:
                troubled = [player for player in watched if self.cost(player)]
                if not troubled:
                    return
            p, q = troubled[int(rand() * len(troubled))], int(rand() * len(self.spot_of))
            before = self.cost(p) + self.cost(q)
            self._exchange(p, q)
            worse = self.cost(p) + self.cost(q) - before
            patience = WARM * (1 - attempt / attempts)
            if worse > 0 and rand() >= math.exp(-worse / patience):
                self._exchange(p, q)

    def _exchange(self, p: int, q: int) -> None:
        spot_of, player_at = self.spot_of, self.player_at
        spot_of[p], spot_of[q] = spot_of[q], spot_of[p]
        player_at[spot_of[p]], player_at[spot_of[q]] = p, q
