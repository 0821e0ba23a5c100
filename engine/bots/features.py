"""What a seat sees of a trick, and what each of its plays leaves, as inputs of a network.

The network that is shipped has learnt with these inputs in this order.
"""

from __future__ import annotations

from itertools import accumulate

from engine.bots.belief import Reading
from engine.bots.candidates import Candidate, shape_of_cards
from engine.bots.decompose import Groups
from engine.bots.network import Network
from engine.bots.rollout import SIZE
from engine.rules.cardset import BYTE_SIZE, RANK_BYTES, pack
from engine.rules.observation import Observation
from engine.rules.rule_tables import table
from engine.rules.shapes import PAIR, PAIR_RUN, QUAD, QUAD_RUN, STRAIGHT
from engine.rules.trick import NEXT

SEATS = 4
CARDS = 13
"""The most players and the most cards of a hand that the inputs know."""
_SIZES = {
    "own": 52, "own_count": 52, "unseen": 52, "unseen_count": 52,
    "group": 52, "straight": 120, "pair_run": 48, "groups": 10, "sure": 6, "doubtful": 8,
    "top_shape": 20, "top_rank": 39, "above": 8, "top_sure": 1, "owner": 4, "next": 4,
    "have": 14, "placed": 3,
    "count 1": 14, "locked 1": 1, "passed 1": 26, "singles 1": 13,
    "count 2": 14, "locked 2": 1, "passed 2": 26, "singles 2": 13,
    "count 3": 14, "locked 3": 1, "passed 3": 26, "singles 3": 13,
    "players": 3, "forward": 1, "bomb": 2,
}  # fmt: skip
INPUTS = sum(_SIZES.values())
_ENDS = dict(zip(_SIZES, accumulate(_SIZES.values()), strict=True))
_RUN_RANKS = 12
_HIGHEST = bytes(max((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
_NONE = -1


class Columns:
    """The columns of a network by what they stand for, added up where they come together."""

    def __init__(self, network: Network) -> None:
        self._all = network.columns
        self.own = self._cards("own")
        self.unseen = self._cards("unseen")
        self.groups = self._up_to("groups")
        self.sure = self._up_to("sure")
        self.doubtful = self._up_to("doubtful")
        self.above = self._up_to("above")
        self.top_shape = self.of("top_shape")
        self.top_rank = self.of("top_rank")
        self.top_sure = self.of("top_sure")[0]
        self.owner = self.of("owner")
        self.next = self.of("next")
        self.have = self.of("have")
        self.placed = self.of("placed")
        self.players = self.of("players")
        self.forward = self.of("forward")[0]
        self.bombs = list(zip((QUAD, PAIR_RUN + 3), self.of("bomb"), strict=True))
        self.locked = [self.of(f"locked {step}")[0] for step in range(1, SEATS)]
        self.others = [
            [self.of(f"{name} {step}") for name in ("count", "passed", "singles")]
            for step in range(1, SEATS)
        ]
        self.group: dict[int, int] = {}
        for at, column in enumerate(self.of("group")):
            self.group[at // 13 + 1 << 4 | at % 13] = column
        for base, name in ((STRAIGHT, "straight"), (PAIR_RUN, "pair_run")):
            for at, column in enumerate(self.of(name)):
                self.group[base + 3 + at // _RUN_RANKS << 4 | at % _RUN_RANKS] = column

    def of(self, name: str) -> list[int]:
        """Return the columns of the inputs of a name."""
        return self._all[_ENDS[name] - _SIZES[name] : _ENDS[name]]

    def _up_to(self, name: str) -> list[int]:
        """Return what to add for a number: the columns of all numbers from 1 up to it."""
        sums = [0, *accumulate(self.of(name))]
        return sums + sums[-1:] * (53 - len(sums))

    def _cards(self, name: str) -> list[dict[int, int]]:
        """Return by rank what to add for the byte of its cards: for each card and their number."""
        cards, counts = self.of(name), self.of(f"{name}_count")
        found: list[dict[int, int]] = []
        for rank in range(13):
            four = slice(4 * rank, 4 * rank + 4)
            sums = {0: 0}
            for suit, column in enumerate(cards[four]):
                sums |= {byte | 1 << 2 * suit: total + column for byte, total in sums.items()}
            most = [0, *accumulate(counts[four])]
            found.append({byte: total + most[byte.bit_count()] for byte, total in sums.items()})
        return found


class Outlook:
    """A trick as the seat to act sees it; `after` says what a candidate leaves of it.

    Sets of seats are bits.
    """

    def __init__(self, observation: Observation, reading: Reading, columns: Columns) -> None:
        assert observation.seat is not None
        self._seat = observation.seat
        self._columns = columns
        self._players = players = observation.players
        self._forward = table(observation.ruleset).forward
        self._others = [(self._seat + step) % players for step in range(1, players)]
        self._out = sum(1 << seat for group in observation.placings for seat in group)
        self._locked = sum(1 << seat for seat in observation.locked_out)
        self._sizes = [
            0 if self._out >> seat & 1 else count for seat, count in enumerate(reading.counts)
        ]
        self._longest = max(self._sizes[seat] for seat in self._others)
        self._hand = pack(observation.hand)
        self._unseen = pack(reading.unseen)
        self._best = best_tops(self._unseen)
        self._top = (0, 0, self._seat)
        if observation.to_beat_by is not None:
            shape = shape_of_cards(observation.to_beat)
            self._top = (shape, observation.to_beat[-1], observation.to_beat_by)
        self._total = self._common(Habits(observation))

    def _common(self, habits: Habits) -> int:
        """Return the sum of the columns that no candidate changes."""
        columns = self._columns
        held = self._unseen.to_bytes(RANK_BYTES, "little")
        total = sum([columns.unseen[rank][byte] for rank, byte in enumerate(held) if byte])
        for step, (counts, passed, singles) in enumerate(columns.others):
            seat = self._others[step] if step < len(self._others) else None
            size = 0 if seat is None else min(self._sizes[seat], CARDS)
            total += counts[size]
            if seat is not None and size:
                total += sum([passed[let] for let in habits.passed[seat].values()])
                total += sum([singles[rank] for rank in habits.singles[seat]])
        total += columns.placed[min(self._out.bit_count(), 2)]
        total += columns.players[self._players - 2]
        total += self._forward * columns.forward
        for shape, column in columns.bombs:
            total += (shape in self._best) * column
        return total

    def after(self, candidate: Candidate) -> int:
        """Return the sum of the columns of all inputs after a play or a pass."""
        columns = self._columns
        cards = candidate.action.cards
        shape, top, by = self._top
        locked = self._locked
        if cards:
            shape, top, by = candidate.shape, cards[-1], self._seat
        elif by != self._seat:
            locked |= 1 << self._seat
        total = self._total + self._kept(self._hand - pack(cards), candidate.groups)
        turn, over = self._turn_after(by, locked, passed=not cards)
        total += columns.next[(turn - self._seat) % self._players]
        if over:
            return total + columns.top_shape[0]
        for seat, column in zip(self._others, columns.locked, strict=False):
            total += (locked >> seat & 1) * column
        return total + self._standing(shape, top, by, locked)

    def _turn_after(self, by: int, locked: int, *, passed: bool) -> tuple[int, bool]:
        """Return who acts next, and whether the trick is over then."""
        if passed and by == self._seat:
            return by, True
        after = NEXT[self._players]
        turn = after[self._seat][locked | self._out | 1 << by]
        if turn >= 0:
            return turn, False
        if self._out >> by & 1:
            return after[by][self._out], True
        return by, not self._forward

    def _kept(self, hand: int, groups: Groups) -> int:
        """Return what the own hand adds: its cards, its groups, those that nobody can beat."""
        columns = self._columns
        held = hand.to_bytes(RANK_BYTES, "little")
        counts = held.translate(BYTE_SIZE)
        total = sum([columns.own[rank][byte] for rank, byte in enumerate(held) if byte])
        sure = 0
        for group in groups:
            rank = group & 15
            total += columns.group.get(group, 0)
            sure += self._is_sure(group >> 4, rank << 2 | _HIGHEST[held[rank]], self._longest)
        total += columns.groups[len(groups)] + columns.sure[sure]
        total += columns.doubtful[len(groups) - sure]
        return total + columns.have[min(sum(counts), CARDS)]

    def _standing(self, shape: int, top: int, by: int, locked: int) -> int:
        """Return what the play on the table adds: its kind, its owner, whether it can be beaten."""
        columns = self._columns
        total = columns.owner[(by - self._seat) % self._players]
        total += columns.top_shape[_kind(shape)]
        total += columns.top_rank[13 * min(shape - 1, 2) + (top >> 2)]
        if shape <= PAIR:
            total += columns.above[(self._unseen >> 2 * top + 2).bit_count()]
        able = [self._sizes[seat] for seat in self._others if seat != by and not locked >> seat & 1]
        return total + self._is_sure(shape, top, max(able, default=0)) * columns.top_sure

    def _is_sure(self, shape: int, top: int, reach: int) -> bool:
        """Tell whether no hand of up to so many cards has anything higher of the shape."""
        return SIZE[shape << 6] > reach or self._best.get(shape, _NONE) < top


class Habits:
    """What seats did: the ranks that each played as singles, and the lowest that it let pass.

    The latter is by number of cards, one or two; the ranks of pairs are raised by thirteen, as
    they are inputs of their own.
    """

    def __init__(self, observation: Observation) -> None:
        self.singles: list[set[int]] = [set() for _ in range(observation.players)]
        self.passed: list[dict[int, int]] = [{} for _ in range(observation.players)]
        cards: tuple[int, ...] = ()
        by = -1
        for event in observation.history:
            action = event.action
            if action.do in ("play", "lock"):
                cards, by = action.cards, action.seat
                if len(cards) == 1:
                    self.singles[by].add(cards[0] >> 2)
            elif action.do == "pass" and action.seat != by and len(cards) in (1, 2):
                let = 13 * (len(cards) - 1) + (cards[-1] >> 2)
                passed = self.passed[action.seat]
                passed[len(cards)] = min(passed.get(len(cards), let), let)


def best_tops(unseen: int) -> dict[int, int]:
    """Return by shape the highest card of the best play that packed cards make."""
    held = unseen.to_bytes(RANK_BYTES, "little")
    best: dict[int, int] = {}
    straight = pairs = 0
    for rank, count in enumerate(held.translate(BYTE_SIZE)):
        if not count:
            straight = pairs = 0
            continue
        top = 4 * rank + _HIGHEST[held[rank]]
        for shape in range(1, count + 1):
            best[shape] = top
        if rank >= _RUN_RANKS:
            break
        straight += 1
        pairs = pairs + 1 if count >= PAIR else 0
        for shape in range(STRAIGHT + 3, STRAIGHT + straight + 1):
            best[shape] = top
        for shape in range(PAIR_RUN + 3, PAIR_RUN + min(pairs, 6) + 1):
            best[shape] = top
    return best


def _kind(shape: int) -> int:
    """Return the number of a shape among the inputs."""
    if shape <= QUAD:
        return shape
    if shape < PAIR_RUN:
        return min(shape - STRAIGHT + 2, 14)
    return min(shape - PAIR_RUN + 12, 18) if shape < QUAD_RUN else 19
