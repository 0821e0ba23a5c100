"""Games between plans: hands already divided into groups are played out without a generator.

A group is the code of a play (``shape << 6 | highest card``), a hand the sorted list of its
codes. Everybody plays as the planner would, but keeps to his groups; where that is asked for
he also takes them apart to beat something.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from engine.bots.decompose import Groups, decomposer
from engine.bots.weights import Weights, cost_of
from engine.packed import RANK_BYTES
from engine.ruleset import Ruleset
from engine.shapes import PAIR, QUAD, QUAD_RUN
from engine.table import table
from engine.trick import NEXT

_HIGH = bytes(max((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
_LOW = bytes(min((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
# Cards of each rank in a run, by the upper bits of its shape.
EACH = (0, 1, 2, 4)
_CODES = (QUAD_RUN + 14) << 6
# Codes of one shape differ in the bits below this one.
_SHAPE = 64


def size_of(shape: int) -> int:
    """Return the number of cards of a shape."""
    return shape if shape <= QUAD else (shape & 15) * EACH[shape >> 4]


SIZE = [size_of(code >> 6) for code in range(_CODES)]


def _ranks_of(code: int) -> int:
    """Return the number of cards of each rank in a group, a byte for each."""
    shape, rank = code >> 6, (code >> 2) & 15
    if shape <= QUAD:
        return shape << 8 * rank
    each = EACH[shape >> 4]
    return sum(each << 8 * low for low in range(max(0, rank - (shape & 15) + 1), rank + 1))


RANKS = [_ranks_of(code) for code in range(_CODES)]


def with_suits(groups: Groups, packed: int) -> list[int]:
    """Return the codes of a hand's groups; runs give way to other groups in the choice of suits."""
    held = packed.to_bytes(RANK_BYTES, "little")
    return sorted(
        [group << 2 | (_LOW if group >> 4 > QUAD else _HIGH)[held[group & 15]] for group in groups]
    )


class Policy:
    """What each group is worth as a lead, as an answer and alone on a trick, by its code."""

    def __init__(self, weights: Weights) -> None:
        costs = [cost_of(group, weights) for group in range(_CODES >> 2)]
        ranks = [(code >> 2) & 15 for code in range(_CODES)]
        cost = [costs[(code >> 6) << 4 | rank] for code, rank in enumerate(ranks)]
        self.lead = [cost[c] + weights.cards * SIZE[c] for c in range(_CODES)]
        self.alone = [worth - weights.forward for worth in self.lead]
        self.answer = [
            self.lead[c] + weights.beat + weights.beat_rank * ranks[c] for c in range(_CODES)
        ]
        self.bonus = [self.answer[code] - cost[code] for code in range(_CODES)]
        self.danger = weights.danger
        self.closing = weights.closing


@lru_cache(maxsize=4)
def policy(weights: Weights) -> Policy:
    """Return the policy of some weights."""
    return Policy(weights)


class Money:
    """What places and chops are worth to a player, in the units of the rollouts' rewards."""

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        places = [2 * (players - 1 - place) for place in range(players)]
        self.chop = 0
        if ruleset.betting == "loser_pays_winner":
            places[0] += 2
            places[-1] -= 2
            self.chop = 2
        elif ruleset.betting == "loser_pays_all":
            places = [worth + 2 for worth in places]
            places[-1] -= 2 * players
        elif ruleset.betting == "mien_nam":
            money = dict(ruleset.money)
            places[0] += money["loser"]
            places[-1] -= money["loser"]
            if players == 4:
                places[1] += money["third"]
                places[2] -= money["third"]
            self.chop = money["quad"]
        self.places = places


class Rollout:
    """Plays imagined games of one table and tells what they bring to one seat."""

    def __init__(
        self, ruleset: Ruleset, players: int, seat: int, weights: Weights, *, breaks: bool
    ) -> None:
        rules = table(ruleset)
        self._rules = rules.generator
        self._plan = decomposer(rules.generator, weights)
        self._chops = rules.chops.get
        self._forward = rules.forward
        self._locks = ruleset.pass_locks
        self._breaking = breaks
        self._broken: dict[tuple[int, int], tuple[int, int, list[int]]] = {}
        self._after = NEXT[players]
        self._everybody = (1 << players) - 1
        self._seat = seat
        self._policy = policy(weights)
        self._money = Money(ruleset, players)

    def earned(self, shape: int, top: int, top_by: int) -> int:
        """Return what the seat earns at once by playing a shape on the top play: a chop's money."""
        chopped = top and shape != top >> 6 and top_by != self._seat
        return self._money.chop if chopped else 0

    def go_on(
        self,
        hands: list[list[int]],
        sizes: list[int],
        turn: int,
        top: int,
        top_by: int,
        locked: int,
        out: int,
    ) -> int:
        """Return the reward of the seat when it has just acted (`turn`) and all play on."""
        if not sizes[turn]:
            return self._money.places[out.bit_count()]
        turn, top, locked = self._pass_turn(turn, top, top_by, locked, out)
        return self.play(hands, sizes, turn, top, top_by, locked, out)

    def play(
        self,
        hands: list[list[int]],
        sizes: list[int],
        turn: int,
        top: int,
        top_by: int,
        locked: int,
        out: int,
    ) -> int:
        """Return the reward of the seat when all play on from here; `hands` and `sizes` change.

        `top` is the code to beat or 0, `out` and `locked` are seats as bits.
        """
        seat = self._seat
        money = 0
        least = min([n for n in sizes if n])
        while True:
            groups = hands[turn]
            if not top:
                code = self._lead(groups, least)
            elif turn == top_by:
                code = self._alone(groups, top)
            else:
                code = self._answer(groups, sizes[turn], top, least)
                if code and (code ^ top) >= _SHAPE:
                    money += self._money.chop * ((turn == seat) - (top_by == seat))
            if code:
                top = code
                top_by = turn
                if not self._locks:
                    locked = 0
                left = sizes[turn] = sizes[turn] - SIZE[code]
                if not left:
                    if turn == seat:
                        return money + self._money.places[out.bit_count()]
                    out |= 1 << turn
                    if out | 1 << seat == self._everybody:
                        return money + self._money.places[-1]
                    least = min([n for n in sizes if n])
                elif left < least:
                    least = left
            elif turn == top_by:
                top = locked = 0
                continue
            else:
                locked |= 1 << turn
            turn, top, locked = self._pass_turn(turn, top, top_by, locked, out)

    def _pass_turn(
        self, turn: int, top: int, top_by: int, locked: int, out: int
    ) -> tuple[int, int, int]:
        """Return the seat to act next with the code to beat and the locked seats."""
        after = self._after[turn][locked | out | 1 << top_by]
        if after >= 0:
            return after, top, locked
        if out >> top_by & 1:
            return self._after[top_by][out], 0, 0
        return (top_by, top, locked) if self._forward else (top_by, 0, 0)

    def _lead(self, groups: list[int], least: int) -> int:
        """Take the lead out of some groups; with one card left somewhere rather no single."""
        code = max(groups, key=self._policy.lead.__getitem__)
        if least == 1 and code < PAIR << 6:
            at = bisect_right(groups, PAIR << 6)
            more = groups[at:]
            code = max(more, key=self._policy.lead.__getitem__) if more else groups[-1]
        groups.remove(code)
        return code

    def _alone(self, groups: list[int], top: int) -> int:
        """Take out the next higher group when nobody else may act, where that is worth it."""
        at = bisect_right(groups, top)
        if at < len(groups) and (groups[at] ^ top) < _SHAPE:
            code = groups[at]
            if self._policy.alone[code] > 0 or len(groups) == 1:
                del groups[at]
                return code
        return 0

    def _answer(self, groups: list[int], size: int, top: int, least: int) -> int:
        """Take out what beats the top play, where that is worth it; 0 is a pass."""
        policy = self._policy
        hurry = policy.danger * (4 - least) if least < 4 else 0
        at = bisect_right(groups, top)
        if at < len(groups) and (groups[at] ^ top) < _SHAPE:
            code = groups[at]
            worth = policy.answer[code] + hurry
            if len(groups) < 5:
                worth += policy.closing * (5 - len(groups))
            if worth > 0 or len(groups) == 1:
                del groups[at]
                return code
        elif self._breaking and size >= SIZE[top]:
            worth, code, rest = self._break(groups, top)
            if worth + hurry > 0:
                groups[:] = rest
                return code
        for shape in self._chops(top, ()):
            at = bisect_right(groups, shape << 6)
            if at < len(groups) and groups[at] >> 6 == shape:
                return groups.pop(at)
        return 0

    def _break(self, groups: list[int], top: int) -> tuple[int, int, list[int]]:
        """Return the best answer that takes groups apart: its worth, its code, what is left."""
        ranks = sum([RANKS[code] for code in groups])
        found = self._broken.get((ranks, top >> 2))
        if found is None:
            found = self._broken[ranks, top >> 2] = self._search(ranks, top)
        return found

    def _search(self, ranks: int, top: int) -> tuple[int, int, list[int]]:
        counts = ranks.to_bytes(RANK_BYTES, "little")
        shape = top >> 6
        low = (top >> 2 & 15) + 1
        if shape <= QUAD:
            tops = [rank for rank in range(low, 13) if counts[rank] >= shape]
        else:
            length = shape & 15
            each = EACH[shape >> 4]
            end = self._rules.straight_end if each == 1 else self._rules.pair_end
            tops = [
                rank
                for rank in range(low, end)
                if min(counts[rank - length + 1 : rank + 1]) >= each
            ]
        best = (-10_000, 0, groups_of(()))
        if not tops:
            return best
        before = self._plan.best(counts)[0]
        for rank in tops:
            code = shape << 6 | rank << 2 | 1
            after, rest = self._plan.best((ranks - RANKS[code]).to_bytes(RANK_BYTES, "little"))
            worth = before - after + self._policy.bonus[code]
            worth += self._policy.closing * max(0, 4 - len(rest))
            if worth > best[0]:
                best = worth, code, groups_of(rest)
        return best


def groups_of(groups: Groups) -> list[int]:
    """Return the codes of groups whose suits nobody knows."""
    return sorted([group << 2 | 1 for group in groups])
