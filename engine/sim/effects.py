"""Statistics of a block of games besides its results: seats, hands, chops, leads, thinking time.

Everything is a sum over deals, so that blocks add up in any order (engine.statistics).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..rules.cards import ACE, TWO
from ..rules.cardset import BYTE_SIZE, RANK_BYTES, pack
from ..rules.plays import HAS, RUN
from ..rules.shapes import PAIR, QUAD
from ..rules.state import Chop
from ..statistics.moments import Moments, Ratio
from .faults import Fault

MOST_POINTS = 8
"""Hands with more points are counted as if they had this many."""
MOST_NOTES = 5
"""The number of faults of a block that are kept with their text."""


def hand_points(hand: int) -> int:
    """Return a dealt, packed hand's points: 2 for each two, 1 for each ace, 2 for each bomb.

    Bombs are four of a kind, and three or more pairs in a row (below the twos).

    >>> from tien_len.rules.cardset import pack
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


def points_of(hands: Iterable[Iterable[int]]) -> list[int]:
    return [hand_points(pack(hand)) for hand in hands]


class Effects:
    """A collector of a block's effects, game by game and deal by deal."""

    def __init__(self, bots: int, players: int) -> None:
        self._bots, self._players = bots, players
        self._deals = 0
        # By deal, without deals that have nothing to count.
        self._chops, self._chopped, self._instant = (
            defaultdict[int, list[int]](lambda: [0] * bots) for _ in range(3)
        )
        self._positions: list[list[int]] = []
        self._leads: list[list[int]] = []
        # The number of deals by points, games and score.
        self._hands: Counter[tuple[int, int, int]] = Counter()
        # Of the current deal: its hands' points, the number of games, the seats' scores by leader.
        self._points: Sequence[int] = ()
        self._games = 0
        self._by_leader: dict[int, list[Sequence[int]]] = {}
        self._changes = 0
        self._faults: Counter[tuple[int, str]] = Counter()
        self._notes: list[Fault] = []
        self._thinking: list[tuple[int, float, float, Counter[int]]] = [
            (0, 0.0, 0.0, Counter()) for _ in range(bots)
        ]

    def begin_deal(self, points: Sequence[int]) -> None:
        """Begin a deal; `points` are the `hand_points` of each seat."""
        self._points = [min(one, MOST_POINTS) for one in points]
        self._games = self._changes = 0
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
        """Add a game of the deal; `scores` are by seat, `winners` had instant wins."""
        self._games += 1
        self._by_leader.setdefault(leader, []).append(scores)
        for chop in chops:
            self._chops[self._deals][seating[chop.by]] += 1
            self._chopped[self._deals][seating[chop.of]] += 1
        for seat in winners:
            self._instant[self._deals][seating[seat]] += 1
        self._changes += lead_changes

    def end_deal(self) -> None:
        self._deals += 1
        self._leads.append([self._changes])
        positions = [0] * self._players
        self._positions.append(positions)
        of_hand: dict[int, list[int]] = {}
        for leader, games in self._by_leader.items():
            scores = [sum(column) for column in zip(*games, strict=True)]
            for seat, score in enumerate(scores):
                positions[seat - leader] += score
                of_hand.setdefault(self._points[seat], [0, 0])[1] += score
        for points in self._points if self._games else ():
            of_hand[points][0] += self._games
        for points, (held, score) in of_hand.items():
            self._hands[points, held, score] += 1

    def add_fault(self, fault: Fault) -> None:
        """Count a bot's verdict in one game, and keep the text of the first ones."""
        self._faults[fault.bot, fault.kind] += 1
        if len(self._notes) < MOST_NOTES:
            self._notes.append(fault)

    def add_thought(self, bot: int, seconds: float) -> None:
        """Add the seconds that one decision took."""
        decisions, total, longest, buckets = self._thinking[bot]
        microseconds = max(seconds * 1e6, 1.0)
        buckets[int(4 * math.log2(microseconds))] += 1
        self._thinking[bot] = (
            decisions + 1, total + microseconds, max(longest, microseconds), buckets,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        rows: dict[str, tuple[Collection[list[int]], int]] = {
            "positions": (self._positions, self._players),
            "chops": (self._chops.values(), self._bots),
            "chopped": (self._chopped.values(), self._bots),
            "instant": (self._instant.values(), self._bots),
            "leads": (self._leads, 1),
        }
        moments = {what: Moments.of(found, width) for what, (found, width) in rows.items()}
        hands = [Ratio() for _ in range(MOST_POINTS + 1)]
        for (points, games, score), deals in self._hands.items():
            hands[points] += Ratio.of(games, score, deals)
        return {
            **{what: replace(one, deals=self._deals).to_json() for what, one in moments.items()},
            "hands": [list(hand) for hand in hands],
            "faults": [[*key, games] for key, games in sorted(self._faults.items())],
            "thinking": [
                [decisions, round(total), round(longest), sorted(buckets.items())]
                for decisions, total, longest, buckets in self._thinking
            ],
        }

    def notes(self) -> list[list[Any]]:
        """Return the first faults with their texts, as JSON values."""
        return [list(fault) for fault in self._notes]
