"""Imagined games from one decision on: deals that an observation allows, played out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.bots.decompose import Decomposer
from engine.bots.judgement import Candidate
from engine.bots.reading import Reading
from engine.bots.rollout import Rollout, policy, with_suits
from engine.bots.weights import Weights
from engine.observation import Observation
from engine.packed import BYTE_SIZE, CARD, RANK_BYTES, pack
from engine.shapes import PAIR, SINGLE, code_of
from engine.table import table

_NOTHING = PAIR << 6


class Style(NamedTuple):
    """How much a bot imagines.

    `rounds`: how many candidates stay in each round and how many deals it has; `draws`: deals
    drawn for each that is played, the one that fits the passes best being taken; `breaks`:
    whether imagined players take groups apart to beat something; `trust`: as how many deals
    the planner's opinion counts, a turn being worth half a place.
    """

    rounds: tuple[tuple[int, int], ...]
    draws: int
    breaks: bool
    trust: int = 0


class Dream:
    """The imagined games of one decision; all candidates meet the same deals."""

    def __init__(
        self,
        observation: Observation,
        reading: Reading,
        plan: Decomposer,
        weights: Weights,
        style: Style,
        random: Callable[[], float],
    ) -> None:
        assert observation.seat is not None
        self._seat = observation.seat
        self._reading = reading
        self._plan = plan
        self._style = style
        self._random = random
        self._hand = pack(observation.hand)
        known = [card for cards in reading.known.values() for card in cards]
        self._pool = [card for card in reading.unseen if card not in known]
        self._players = observation.players
        self._rollout = Rollout(
            observation.ruleset, observation.players, self._seat, weights, breaks=style.breaks
        )
        self._answers = policy(weights).answer
        self._passed = passed_singles(observation)
        self._out = sum(1 << seat for group in observation.placings for seat in group)
        self._locked = sum(1 << seat for seat in observation.locked_out)
        self._sizes = [
            0 if self._out >> seat & 1 else count for seat, count in enumerate(reading.counts)
        ]
        self._top = 0
        self._top_by = self._seat
        if observation.to_beat_by is not None:
            self._top = code_of(table(observation.ruleset).classify(pack(observation.to_beat)))
            self._top_by = observation.to_beat_by

    def best_of(self, candidates: list[Candidate]) -> Candidate:
        """Return the candidate with the highest total; equal ones go by their own score."""
        own = {c: with_suits(c.groups, self._hand - pack(c.action.cards)) for c in candidates}
        totals = {c: self._style.trust * c.score for c in candidates}
        for most, deals in self._style.rounds:
            candidates = candidates[:most]
            for _ in range(deals):
                hands = self._likely_deal()
                for candidate in candidates:
                    hands[self._seat] = own[candidate]
                    totals[candidate] += 100 * self._reward(candidate, hands)
            candidates.sort(key=lambda c: (-totals[c], -c.score))
        return candidates[0]

    def _likely_deal(self) -> list[list[int]]:
        """Return the groups of every other seat's hand in a deal that fits the passes."""
        best = self._deal()
        if not self._passed or self._style.draws == 1:
            return best
        doubts = self._doubts(best)
        for _ in range(self._style.draws - 1):
            if not doubts:
                break
            other = self._deal()
            less = self._doubts(other)
            if less < doubts:
                best, doubts = other, less
        return best

    def _doubts(self, hands: list[list[int]]) -> int:
        """Count the seats that passed on a single and here hold a higher one to spare."""
        doubts = 0
        for seat, code in self._passed.items():
            for group in hands[seat]:
                if group >= _NOTHING:
                    break
                if group > code and self._answers[group] > 0:
                    doubts += 1
                    break
        return doubts

    def _deal(self) -> list[list[int]]:
        random = self._random
        keys = [random() for _ in self._pool]
        cards = [card for _, card in sorted(zip(keys, self._pool, strict=True))]
        hands: list[list[int]] = [[] for _ in range(self._players)]
        at = 0
        for seat in self._reading.opponents:
            known = self._reading.known.get(seat, ())
            end = at + self._sizes[seat] - len(known)
            packed = sum([CARD[card] for card in (*known, *cards[at:end])])
            at = end
            counts = packed.to_bytes(RANK_BYTES, "little").translate(BYTE_SIZE)
            hands[seat] = with_suits(self._plan.best(counts)[1], packed)
        return hands

    def _reward(self, candidate: Candidate, hands: list[list[int]]) -> int:
        """Return what the seat gets when it takes the candidate and all play on."""
        seat = self._seat
        hands = [groups[:] for groups in hands]
        sizes = self._sizes[:]
        locked, top, top_by = self._locked, self._top, self._top_by
        if candidate.shape:
            cards = candidate.action.cards
            earned = self._rollout.earned(candidate.shape, top, top_by)
            top, top_by = candidate.shape << 6 | cards[-1], seat
            sizes[seat] -= len(cards)
        elif top_by == seat:
            return self._rollout.play(hands, sizes, seat, 0, seat, 0, self._out)
        else:
            earned = 0
            locked |= 1 << seat
        return earned + self._rollout.go_on(hands, sizes, seat, top, top_by, locked, self._out)


def passed_singles(observation: Observation) -> dict[int, int]:
    """Return for each other seat the lowest single that it did not beat, as a code."""
    found: dict[int, int] = {}
    top: tuple[int, ...] = ()
    by = -1
    for event in observation.history:
        action = event.action
        if action.do in ("play", "lock"):
            top, by = action.cards, action.seat
        elif action.do == "pass" and len(top) == 1 and action.seat not in (by, observation.seat):
            code = SINGLE << 6 | top[0]
            found[action.seat] = min(found.get(action.seat, _NOTHING), code)
    return found
