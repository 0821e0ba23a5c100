"""Rollouts with hands already divided into groups, which need no generator of plays.

A group is the code of a play (``shape << 6 | highest card``), a hand the sorted list of its codes.
Players keep to their groups and break them up only to beat a play that none of them beats.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from random import Random
from typing import NamedTuple

from engine.bots.decompose import Groups, decomposer
from engine.bots.weights import Weights, cost_of
from engine.core.kernels.plan_layout import PLACE_AT
from engine.rules.cardset import RANK_BYTES
from engine.rules.plays import RUN
from engine.rules.rule_tables import table
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import EACH, PAIR, QUAD, QUAD_RUN, SINGLE, size_of
from engine.rules.trick import NEXT

_HIGH = bytes(max((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
_LOW = bytes(min((s for s in range(4) if byte >> 2 * s & 3), default=0) for byte in range(256))
_CODES = (QUAD_RUN + 14) << 6
TEMPERS = 16
# Imagined players with at most this many groups look for a way out that cannot be stopped.
_NEAR_THE_END = 4
# If the two lowest groups are singles up to this code, a seat can hardly go out unbeaten.
_LOW_SINGLE = SINGLE << 6 | 31
# The largest random deviations of imagined players, in hundredths of a turn.
_ANSWER_WAVERS, _LEAD_WAVERS = 50, 30
# Codes of one shape differ in the bits below this one.
_SHAPE = 64
_PAIRS = PAIR << 6
_HAS = {n: bytes(count >= n for count in range(256)) for n in (1, 2, 4)}
# By code: the number of bits, in a hand's ranks, up to and including the code's rank.
_ABOVE = [8 * ((code >> 2 & 15) + 1) for code in range(_CODES)]
SIZE = [size_of(code >> 6) for code in range(_CODES)]


def _ranks_of(code: int) -> int:
    """Return the number of cards of each rank in a group, one byte per rank."""
    shape, rank = code >> 6, (code >> 2) & 15
    if shape <= QUAD:
        return shape << 8 * rank
    each = EACH[shape >> 4]
    return sum(each << 8 * low for low in range(max(0, rank - (shape & 15) + 1), rank + 1))


RANKS = [_ranks_of(code) for code in range(_CODES)]


def with_suits(groups: Groups, packed: int) -> list[int]:
    """Return a hand's groups as codes; runs take the lowest suit held, other groups the highest."""
    held = packed.to_bytes(RANK_BYTES, "little")
    return sorted(
        [group << 2 | (_LOW if group >> 4 > QUAD else _HIGH)[held[group & 15]] for group in groups]
    )


class Policy:
    """The value of each group, by code, as a lead, as an answer and alone on a trick.

    Imagined players differ: in each of the `tempers` a player's values of leads and answers deviate
    a little from the weights.
    """

    def __init__(self, weights: Weights) -> None:
        costs = [cost_of(group, weights) for group in range(_CODES >> 2)]
        ranks = [(code >> 2) & 15 for code in range(_CODES)]
        cost = [costs[(code >> 6) << 4 | rank] for code, rank in enumerate(ranks)]
        lead = [cost[c] + weights.cards * SIZE[c] for c in range(_CODES)]
        self.alone = [worth - weights.forward for worth in lead]
        answer = [lead[c] + weights.beat + weights.beat_rank * ranks[c] for c in range(_CODES)]
        self.bonus = [answer[code] - cost[code] for code in range(_CODES)]
        self.tempers = [_temper(lead, answer, Random(number)) for number in range(TEMPERS)]
        self.danger = weights.danger
        self.closing = weights.closing


class Temper(NamedTuple):
    """One player's values of groups as leads and as answers, and the answers' random deviations."""

    lead: list[int]
    answer: list[int]
    whim: list[int]


def _temper(lead: list[int], answer: list[int], random: Random) -> Temper:
    def waver(most: int) -> int:
        return round(most * (random.random() + random.random() - 1))

    whim = [waver(_ANSWER_WAVERS) for _ in answer]
    return Temper(
        lead=[worth + waver(_LEAD_WAVERS) for worth in lead],
        answer=[worth + more for worth, more in zip(answer, whim, strict=True)],
        whim=whim,
    )


@lru_cache(maxsize=4)
def policy(weights: Weights) -> Policy:
    """Return the policy for some weights."""
    return Policy(weights)


class Money:
    """The value of places and chops to a player, in the units of the rollouts' rewards.

    `stake` is the number of those units in a stake.
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        places = [2 * (players - 1 - place) for place in range(players)]
        self.chop = 0
        self.stake = 1 if ruleset.betting == "mien_nam" else 2
        if ruleset.betting == "loser_pays_winner":
            places[0] += 2
            places[-1] -= 2
            self.chop = 2
        elif ruleset.betting == "loser_pays_all":
            places = [worth + 2 for worth in places]
            places[-1] -= 2 * players
        elif ruleset.betting == "mien_nam":
            self._southern(ruleset, places)
        self.places = places

    def _southern(self, ruleset: Ruleset, places: list[int]) -> None:
        money = dict(ruleset.money)
        self.chop = money["quad"] * ruleset.chop_multiple
        each = ruleset.losers_pay == "first" or ruleset.game_ends == "first_out"
        if each or ruleset.losers_pay == "cards":
            # On average half a hand is left; the player who would go out next holds fewer cards.
            units = 6 * money["card"] if ruleset.losers_pay == "cards" else money["loser"]
            losers = range(1, len(places)) if each else range(len(places) - 1, len(places))
            places[0] += units * len(losers)
            for place in losers:
                places[place] -= units
            return
        places[0] += money["loser"]
        places[-1] -= money["loser"]
        if len(places) == 4:
            places[1] += money["third"]
            places[2] -= money["third"]


class Ledger(Money):
    """Money that keeps the place at a game's end apart from the money, for `split`.

    Places are doubled: players who share places get the mean of these.
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        super().__init__(ruleset, players)
        shared = table(ruleset).first_out_ends
        for place, worth in enumerate(self.places):
            doubled = players + 2 if shared and place else 2 * place + 2
            self.places[place] = (doubled << PLACE_AT) + worth - 2 * (players - 1 - place)


def split(reward: int) -> tuple[int, int]:
    """Return twice the place and the ledger's money of a reward, or of a sum of rewards."""
    place = reward + (1 << PLACE_AT - 1) >> PLACE_AT
    return place, reward - (place << PLACE_AT)


class Rollout:
    """The imagined games of one table, with their rewards for one seat."""

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        seat: int,
        weights: Weights,
        money: Money | None = None,
    ) -> None:
        rules = table(ruleset)
        self._rules = rules.generator
        self._plan = decomposer(rules.generator, weights)
        self._chops = rules.chops
        self._forward = rules.forward
        self._locks = ruleset.pass_locks
        self._broken: dict[tuple[int, int], tuple[int, int, list[int]]] = {}
        self._after = NEXT[players]
        self._everybody = (1 << players) - 1
        self._seat = seat
        self._policy = policy(weights)
        self._temper = self._policy.tempers[0]
        self._money = money or Money(ruleset, players)

    def begin_deal(self, temper: int) -> None:
        """Give all players this temper for the next deal."""
        self._temper = self._policy.tempers[temper]

    def earned(self, shape: int, top: int, top_by: int) -> int:
        """Return the money of a chop if the seat chops the top play with a shape, else 0."""
        chopped = top and shape != top >> 6 and top_by != self._seat
        return self._money.chop if chopped else 0

    def go_on(
        self,
        hands: list[list[int]],
        ranks: list[int],
        sizes: list[int],
        turn: int,
        top: int,
        top_by: int,
        locked: int,
        out: int,
    ) -> int:
        """Play the game to its end after the seat's action as `turn`; return its reward."""
        if not sizes[turn]:
            return self._money.places[out.bit_count()]
        after = self._after[turn][locked | out | 1 << top_by]
        if after < 0:
            if out >> top_by & 1 or not self._forward:
                top = locked = 0
            after = self._after[top_by][out] if out >> top_by & 1 else top_by
        return self.play(hands, ranks, sizes, after, top, top_by, locked, out)

    def play(
        self,
        hands: list[list[int]],
        ranks: list[int],
        sizes: list[int],
        turn: int,
        top: int,
        top_by: int,
        locked: int,
        out: int,
    ) -> int:
        """Play the game to its end and return the seat's reward; the lists change.

        `hands` has the groups of each seat, `ranks` its cards of each rank, one byte per rank;
        `top` is the code to beat or 0, `out` and `locked` are seats as bits. It is one long
        function because most of a decision's time is spent here.
        """
        seat = self._seat
        next_seat = self._after
        policy = self._policy
        lead, answer, whim = self._temper
        taste = lead.__getitem__
        broken = self._broken.get
        money = 0
        least = min([n for n in sizes if n])
        while True:
            groups = hands[turn]
            code = 0
            if not top:
                if 1 < len(groups) <= _NEAR_THE_END and groups[1] > _LOW_SINGLE:
                    code = self._way_out(turn, hands, ranks, sizes)
                if not code:
                    code = max(groups, key=taste)
                    if least == 1 and code < _PAIRS:
                        code = self._safe_lead(groups)
                groups.remove(code)
            else:
                at = bisect_right(groups, top)
                if turn == top_by:
                    if (
                        at < len(groups)
                        and (groups[at] ^ top) < _SHAPE
                        and (policy.alone[groups[at]] > 0 or len(groups) == 1)
                    ):
                        code = groups.pop(at)
                elif at < len(groups) and (groups[at] ^ top) < _SHAPE:
                    worth = answer[groups[at]]
                    if least < 4:
                        worth += policy.danger * (4 - least)
                    left = len(groups)
                    if left < 5:
                        worth += policy.closing * (5 - left)
                    if worth > 0 or left == 1:
                        code = groups.pop(at)
                elif sizes[turn] >= SIZE[top]:
                    held = ranks[turn]
                    if top >= _PAIRS or held >> _ABOVE[top]:
                        found = broken((held, top >> 2)) or self._break(groups, held, top)
                        worth = found[0] + whim[found[1]]
                        if least < 4:
                            worth += policy.danger * (4 - least)
                        if worth > 0:
                            code = found[1]
                            hands[turn] = found[2][:]
                if not code and top in self._chops and turn != top_by:
                    code = self._chop(groups, top)
            if code:
                if top and (code ^ top) >= _SHAPE:
                    money += self._money.chop * ((turn == seat) - (top_by == seat))
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
                else:
                    ranks[turn] -= RANKS[code]
                    if left < least:
                        least = left
            elif turn == top_by:
                top = locked = 0
                continue
            else:
                locked |= 1 << turn
            after = next_seat[turn][locked | out | 1 << top_by]
            if after >= 0:
                turn = after
            elif out >> top_by & 1:
                turn = next_seat[top_by][out]
                top = locked = 0
            else:
                turn = top_by
                if not self._forward:
                    top = locked = 0

    def _way_out(
        self, turn: int, hands: list[list[int]], ranks: list[int], sizes: list[int]
    ) -> int:
        """Return a group that no other seat beats if at most one group can be beaten, else 0."""
        others = [seat for seat, size in enumerate(sizes) if size and seat != turn]
        highest = (max([ranks[seat] for seat in others]).bit_length() - 1) >> 3
        sure = weak = 0
        counts: list[bytes] = []
        for code in hands[turn]:
            shape, rank = code >> 6, code >> 2 & 15
            if shape == SINGLE:
                beaten = rank < highest or (
                    rank == highest
                    and any(group & 63 > code & 63 for seat in others for group in hands[seat])
                )
            else:
                counts = counts or [ranks[seat].to_bytes(RANK_BYTES, "little") for seat in others]
                beaten = any(self._tops(held, shape, rank + 1) for held in counts)
            if not beaten:
                sure = code
            elif weak:
                return 0
            else:
                weak = 1
        return sure

    def _safe_lead(self, groups: list[int]) -> int:
        """Return a lead against a last card: the best that is not a single, or the top single."""
        more = groups[bisect_right(groups, _PAIRS) :]
        return max(more, key=self._temper.lead.__getitem__) if more else groups[-1]

    def _chop(self, groups: list[int], top: int) -> int:
        """Take a group that chops the top play out of the hand; 0 if there is none."""
        for shape in self._chops[top]:
            at = bisect_right(groups, shape << 6)
            if at < len(groups) and groups[at] >> 6 == shape:
                return groups.pop(at)
        return 0

    def _break(self, groups: list[int], held: int, top: int) -> tuple[int, int, list[int]]:
        """Return the best answer that breaks up groups: its value, its code, the groups left."""
        shape = top >> 6
        low = (top >> 2 & 15) + 1
        counts = held.to_bytes(RANK_BYTES, "little")
        bonus, closing = self._policy.bonus, self._policy.closing
        worth, best = -10_000, 0
        if shape <= QUAD:
            if low < RANK_BYTES and max(counts[low:]) >= shape:
                for rank, saving, more in self._plan.savings(counts, low, shape):
                    code = shape << 6 | rank << 2 | 1
                    value = saving + bonus[code] + closing * max(0, 4 - len(groups) - more)
                    if value > worth:
                        worth, best = value, code
        else:
            for rank in self._tops(counts, shape, low):
                code = shape << 6 | rank << 2 | 1
                after, rest = self._plan.best((held - RANKS[code]).to_bytes(RANK_BYTES, "little"))
                value = bonus[code] - after + closing * max(0, 4 - len(rest))
                if value > worth:
                    worth, best = value, code
            if best:
                worth += self._plan.best(counts)[0]
        left: list[int] = []
        if best:
            rest = self._plan.best((held - RANKS[best]).to_bytes(RANK_BYTES, "little"))[1]
            left = sorted([group << 2 | 1 for group in rest])
        found = self._broken[held, top >> 2] = worth, best, left
        return found

    def _tops(self, counts: bytes, shape: int, low: int) -> list[int]:
        """Return the top ranks, from `low` on, of a hand's plays of a shape."""
        if shape <= QUAD:
            return [rank for rank in range(low, RANK_BYTES) if counts[rank] >= shape]
        each = EACH[shape >> 4]
        run = RUN[shape & 15]
        end = self._rules.straight_end if each == 1 else self._rules.pair_end
        held = counts.translate(_HAS[each])
        tops = []
        at = held.find(run, max(low + 1 - len(run), 0), end)
        while at >= 0:
            tops.append(at + len(run) - 1)
            at = held.find(run, at + 1, end)
        return tops
