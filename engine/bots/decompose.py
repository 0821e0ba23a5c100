"""The division of a hand into groups that will be played together, at the least cost."""

from functools import lru_cache

from ..rules.cards import ACE
from ..rules.plays import Generator
from ..rules.shapes import PAIR_RUN, QUAD, QUAD_RUN, SINGLE, STRAIGHT
from .weights import Weights, cost_of

Groups = tuple[int, ...]
# A group is ``shape << 4 | highest rank``: a play without its suits.
_MOST_REMEMBERED = 20_000  # For each lowest rank of a stretch.


class Decomposer:
    """The cheapest division of any hand under the runs of one ruleset, with a cache.

    Ranks that are not held split a hand into stretches, which are divided one by one; there are few
    enough of them that nearly all are in the cache. Quad runs are left as quads: they are too rare
    to plan for.
    """

    def __init__(self, rules: Generator, weights: Weights) -> None:
        self._straight_end = rules.straight_end
        self._pair_end = rules.pair_end
        self._longest = rules.longest
        self.costs = [cost_of(group, weights) for group in range((QUAD_RUN + 14) << 4)]
        # By the lowest rank of a stretch, then by its cards of each rank.
        self._found: list[dict[bytes, tuple[int, Groups]]] = [{} for _ in range(13)]

    def best(self, counts: bytes) -> tuple[int, Groups]:
        """Return the least cost and the groups of a hand, given its cards of each rank."""
        cost = rank = 0
        groups: Groups = ()
        for stretch in counts.split(b"\0"):
            if stretch:
                found = self._found[rank].get(stretch) or self._divide(rank, stretch)
                cost += found[0]
                groups += found[1]
                rank += len(stretch)
            rank += 1
        return cost, groups

    def _divide(self, rank: int, stretch: bytes) -> tuple[int, Groups]:
        """Return the best division of a stretch that begins at this rank, and cache it."""
        known = self._found[rank]
        if len(known) >= _MOST_REMEMBERED:
            known.clear()
        counts = bytes(rank) + stretch
        found = known[stretch] = self._search(counts, rank)
        return found

    def _search(self, counts: bytes, rank: int) -> tuple[int, Groups]:
        """Return the best division, trying every group that the lowest rank can be in."""
        count = counts[rank]
        left = bytearray(counts)
        best = self._take(left, rank, min(count, QUAD))
        if rank >= ACE and count > 1:
            best = min(best, self._take(left, rank, SINGLE))
        best = self._runs(bytearray(counts), rank, 1, STRAIGHT, self._straight_end, best)
        if count >= 2:
            end = min(self._pair_end, rank + self._longest)
            best = self._runs(bytearray(counts), rank, 2, PAIR_RUN, end, best)
        return best

    def _take(self, left: bytearray, rank: int, count: int) -> tuple[int, Groups]:
        left[rank] -= count
        cost, groups = self.best(bytes(left))
        left[rank] += count
        group = count << 4 | rank
        return cost + self.costs[group], (group, *groups)

    def _runs(
        self, left: bytearray, rank: int, each: int, base: int, end: int, best: tuple[int, Groups]
    ) -> tuple[int, Groups]:
        """Return the best of `best` and all divisions with a run that starts at the rank."""
        for top in range(rank, min(end, len(left))):
            if left[top] < each:
                break
            left[top] -= each
            ranks = top - rank + 1
            if ranks >= 3:
                group = (base + ranks) << 4 | top
                cost, groups = self.best(bytes(left))
                cost += self.costs[group]
                if cost < best[0]:
                    best = cost, (group, *groups)
        return best


@lru_cache(maxsize=16)
def _decomposer(straight_end: int, pair_end: int, longest: int, weights: Weights) -> Decomposer:
    rules = Generator(straight_end, pair_end, longest, quad_runs=False)
    return Decomposer(rules, weights)


def decomposer(rules: Generator, weights: Weights) -> Decomposer:
    """Return the decomposer for some runs and weights; rulesets with the same runs share it."""
    return _decomposer(rules.straight_end, rules.pair_end, rules.longest, weights)
