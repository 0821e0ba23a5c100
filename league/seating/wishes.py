"""An organiser's wishes as weights: pairs kept apart or together, and club-mates."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

# In units of one repeat meeting: a meeting of club-mates costs as much as a repeat.
APART_WEIGHT = 1000
CLUB_WEIGHT = 1
TOGETHER_WEIGHT = -400
Pair = tuple[int, int]


@dataclass(frozen=True)
class Wishes:
    """The wishes for a draw.

    Pairs in `apart` (smaller player first) never share a table, pairs in `together` always do.
    `clubs` maps players to their clubs, if they have one.
    """

    apart: frozenset[tuple[int, int]] = frozenset()
    clubs: Mapping[int, int] = field(default_factory=dict)
    together: frozenset[Pair] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.apart or self.clubs or self.together)

    def weights(self) -> dict[int, dict[int, int]]:
        """Return the cost of one meeting by player and player to avoid."""
        avoid: dict[int, dict[int, int]] = defaultdict(dict)
        for pairs, weight in (
            (self.club_mates(), CLUB_WEIGHT),
            (self.together, TOGETHER_WEIGHT),
            (self.apart, APART_WEIGHT),
        ):
            for a, b in pairs:
                avoid[a][b] = avoid[b][a] = weight
        return dict(avoid)

    def club_mates(self) -> list[tuple[int, int]]:
        groups: dict[int, list[int]] = defaultdict(list)
        for player, group in self.clubs.items():
            groups[group].append(player)
        return [pair for group in groups.values() for pair in combinations(group, 2)]


def broken(tables: Sequence[Sequence[int]], prices: Mapping[Pair, int]) -> int:
    """Return how far these tables are from the wishes: 0 if all hold."""
    pairs = ordered_pairs(pair for table in tables for pair in combinations(table, 2))
    best = sum(price for price in prices.values() if price < 0)
    return sum(prices.get(pair, 0) for pair in pairs) - best


def prices(apart: Iterable[Sequence[int]], together: Iterable[Sequence[int]]) -> dict[Pair, int]:
    """Return the cost of a meeting by pair, from groups of players; apart outweighs together."""
    found: dict[Pair, int] = {}
    for groups, weight in ((together, TOGETHER_WEIGHT), (apart, APART_WEIGHT)):
        for group in groups:
            found |= dict.fromkeys(ordered_pairs(combinations(group, 2)), weight)
    return found


def ordered_pairs(pairs: Iterable[Sequence[int]]) -> frozenset[tuple[int, int]]:
    """Return the pairs, smaller player first, without duplicates."""
    return frozenset((min(a, b), max(a, b)) for a, b in pairs)
