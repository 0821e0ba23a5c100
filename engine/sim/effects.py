"""What a block of games says besides who won: seats, hands, chops, leads, thinking time.

Everything is a sum over deals, so that blocks add up in any order (engine.statistics.effects).
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.rules.cards import ACE, TWO
from engine.rules.cardset import BYTE_SIZE, RANK_BYTES
from engine.rules.plays import HAS, RUN
from engine.rules.shapes import PAIR, QUAD
from engine.rules.state import Chop
from engine.sim.faults import Fault
from engine.statistics.moments import Moments, Ratio

MOST_POINTS = 8
"""Hands with more points are counted with those that have so many."""
MOST_NOTES = 5
"""So many faults of a block are kept with their text."""


def hand_points(hand: int) -> int:
    """Return a dealt, packed hand's points: 2 for each two, 1 for each ace, 2 for each bomb.

    Bombs are four of a kind, and three or more pairs in a row (below the twos).

    >>> from engine.rules.cardset import pack
    >>> hand_points(pack([48, 49, 44, 0, 4, 8]))
    5
    """
    packed = hand.to_bytes(RANK_BYTES, "little")
    below = packed[:TWO]
    points = 2 * BYTE_SIZE[packed[TWO]] + BYTE_SIZE[packed[ACE]]
    points += 2 * below.translate(HAS[QUAD]).count(1)
    pairs = below.translate(HAS[PAIR])
    if RUN[3] not in pairs:
        return points
    return points + 2 * sum(len(run) >= 3 for run in pairs.split(b"\0"))


class Effects:
    """Collects the effects of a block, game by game and deal by deal."""

    def __init__(self, bots: int, players: int) -> None:
        self._bots, self._players = bots, players
        self._rows: dict[str, list[list[int]]] = {
            what: [] for what in ("positions", "chops", "chopped", "instant", "leads")
        }
        self._hands = [Ratio() for _ in range(MOST_POINTS + 1)]
        self._points: list[int] = []
        # Of the deal: how many games, and what each seat scored by who led.
        self._games = 0
        self._by_leader: dict[int, list[int]] = {}
        self._faults: Counter[tuple[int, str]] = Counter()
        self._notes: list[Fault] = []
        self._thinking: list[tuple[int, float, float, Counter[int]]] = [
            (0, 0.0, 0.0, Counter()) for _ in range(bots)
        ]

    def begin_deal(self, hands: Sequence[int]) -> None:
        """Take up a new deal, its hands packed."""
        for what, rows in self._rows.items():
            width = {"positions": self._players, "leads": 1}.get(what, self._bots)
            rows.append([0] * width)
        self._points = [min(hand_points(hand), MOST_POINTS) for hand in hands]
        self._games = 0
        self._by_leader = {}

    def add_game(
        self,
        seating: Sequence[int],
        chops: Sequence[Chop],
        scores: Sequence[int],
        leader: int,
        winners: Sequence[int],
        lead_changes: int,
    ) -> None:
        """Add a game of the deal; `scores` are by seat, `winners` won as dealt."""
        self._games += 1
        before = self._by_leader.get(leader)
        self._by_leader[leader] = list(map(operator.add, before, scores) if before else scores)
        for chop in chops:
            self._rows["chops"][-1][seating[chop.by]] += 1
            self._rows["chopped"][-1][seating[chop.of]] += 1
        for seat in winners:
            self._rows["instant"][-1][seating[seat]] += 1
        self._rows["leads"][-1][0] += lead_changes

    def end_deal(self) -> None:
        """Close the deal's sums: its games belong together."""
        positions = self._rows["positions"][-1]
        of_hand: dict[int, list[int]] = {}
        for leader, scores in self._by_leader.items():
            for seat, score in enumerate(scores):
                positions[(seat - leader) % len(scores)] += score
                of_hand.setdefault(self._points[seat], [0, 0])[1] += score
        for points in self._points if self._games else ():
            of_hand[points][0] += self._games
        for points, (games, score) in of_hand.items():
            self._hands[points] += Ratio.of(games, score)

    def add_fault(self, fault: Fault) -> None:
        """Add a bot's verdict in one game."""
        self._faults[fault.bot, fault.kind] += 1
        if len(self._notes) < MOST_NOTES:
            self._notes.append(fault)

    def add_thought(self, bot: int, seconds: float) -> None:
        """Add the time of one decision."""
        decisions, total, longest, buckets = self._thinking[bot]
        microseconds = max(seconds * 1e6, 1.0)
        buckets[int(4 * math.log2(microseconds))] += 1
        self._thinking[bot] = (
            decisions + 1, total + microseconds, max(longest, microseconds), buckets,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Return the sums as JSON values."""
        return {
            **{
                what: Moments.of(rows, len(rows[0]) if rows else 0).to_json()
                for what, rows in self._rows.items()
            },
            "hands": [list(hand) for hand in self._hands],
            "faults": [[*key, games] for key, games in sorted(self._faults.items())],
            "thinking": [
                [decisions, round(total), round(longest), sorted(buckets.items())]
                for decisions, total, longest, buckets in self._thinking
            ],
        }

    def notes(self) -> list[list[Any]]:
        """Return the first faults with their texts, as JSON values."""
        return [list(fault) for fault in self._notes]
