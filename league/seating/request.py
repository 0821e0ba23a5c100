"""An organiser's request for a whole schedule, and the cost of a draft."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from league.seating.bounds import lower_bound
from league.seating.quality import meetings, short_seats
from league.seating.sizes import (
    FULL,
    SeatedRound,
    even_pairs,
    pairs,
    table_sizes,
)
from league.seating.wishes import Wishes

Effort = Literal["quick", "normal", "thorough"]
CostTerms = tuple[int, int, int]
# The cost, in repeats, of each short table by which the widest gap exceeds the tolerated one.
UNFAIR_WEIGHT, TOLERATED_GAP = 2, 2


@dataclass(frozen=True)
class Request:
    """The players, rounds and wishes of a schedule."""

    players: int
    rounds: int
    wishes: Wishes
    effort: Effort
    size: int = FULL

    @cached_property
    def sizes(self) -> list[int]:
        return table_sizes(self.players, size=self.size)

    @cached_property
    def _avoided(self) -> dict[int, dict[int, int]]:
        return self.wishes.weights()

    def cost(self, draft: Sequence[SeatedRound]) -> CostTerms:
        """Return (weighted faults, unevenness of meetings, unevenness of short tables)."""
        met = meetings(draft)
        short = short_seats(draft)
        cost = sum(count - 1 for count in met.values())
        if self._avoided:
            cost += sum(self._avoided.get(a, {}).get(b, 0) * times for (a, b), times in met.items())
        gap = max(short.values(), default=0) - min(short[p] for p in range(self.players))
        cost += UNFAIR_WEIGHT * max(0, gap - TOLERATED_GAP)
        return cost, sum(map(pairs, met.values())), sum(map(pairs, short.values()))

    def least_cost(self) -> tuple[int, int]:
        """Return lower bounds of the first two terms of the cost."""
        met = self.rounds * sum(map(pairs, self.sizes))
        return (
            lower_bound(self.players, self.rounds, size=self.size),
            even_pairs(met, pairs(self.players)),
        )

    def weights(self) -> list[list[int]]:
        """Return the square matrix of the cost of one meeting by pair, zero without a wish."""
        square = [[0] * self.players for _ in range(self.players)]
        for player, avoided in self._avoided.items():
            for other, weight in avoided.items():
                square[player][other] = weight
        return square
