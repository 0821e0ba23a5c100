"""Dividing a hand into groups that will be played together, at the least cost."""

from __future__ import annotations

from functools import lru_cache

from engine.bots.weights import Weights, cost_of
from engine.cards import ACE
from engine.plays import Generator
from engine.shapes import PAIR_RUN, QUAD, QUAD_RUN, SINGLE, STRAIGHT

Groups = tuple[int, ...]
# A group is ``shape << 4 | highest rank``: a play without its suits.
_MOST_REMEMBERED = 60_000


class Decomposer:
    """The cheapest division of any hand, under the runs of one ruleset; remembers what it found.

    Quad runs are left as quads: they are too rare to plan for.
    """

    def __init__(self, rules: Generator, weights: Weights) -> None:
        self._straight_end = rules.straight_end
        self._pair_end = rules.pair_end
        self._longest = rules.longest
        self.costs = [cost_of(group, weights) for group in range((QUAD_RUN + 14) << 4)]
        self._found: dict[bytes, tuple[int, Groups]] = {}

    def best(self, counts: bytes) -> tuple[int, Groups]:
        """Return the least cost of a hand and its groups, given its cards of each rank."""
        found = self._found.get(counts)
        if found is None:
            if len(self._found) >= _MOST_REMEMBERED:
                self._found.clear()
            found = self._found[counts] = self._search(counts)
        return found

    def look(self, counts: bytes) -> tuple[int, Groups]:
        """Return what `best` does without remembering it: for hands that hardly come again."""
        return self._found.get(counts) or self._search(counts)

    def _search(self, counts: bytes) -> tuple[int, Groups]:
        """Try everything that may become of the lowest rank."""
        rank = 13 - len(counts.lstrip(b"\0"))
        if rank == 13:
            return 0, ()
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
        for top in range(rank, end):
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
    """Return the decomposer for some runs and weights; rulesets with equal runs share it."""
    return _decomposer(rules.straight_end, rules.pair_end, rules.longest, weights)
