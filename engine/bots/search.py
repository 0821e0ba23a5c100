"""Imagined games from one decision on: deals that fit the observation, played out."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from engine.bots.belief import Reading
from engine.bots.candidates import Candidate
from engine.bots.decompose import Decomposer
from engine.bots.imagination import (
    Foresight,
    Imagining,
    Option,
    Sight,
    foresight,
    imagination,
)
from engine.bots.past import habits, passed_on_top, past_of
from engine.bots.rollout import TEMPERS, Ledger, Rollout, split, with_suits
from engine.bots.weights import Weights
from engine.rules.actions import SeatAction
from engine.rules.cardset import BYTE_SIZE, RANK_BYTES, pack, rank_counts
from engine.rules.observation import Observation
from engine.rules.rule_tables import table
from engine.rules.shapes import code_of


class Style(NamedTuple):
    """The settings of a bot's imagined games.

    `rounds`: the number of candidates and of deals in each round; `trust`: the number of deals that
    the planner's score counts for, with a turn worth half a place.
    """

    rounds: tuple[tuple[int, int], ...]
    trust: int = 0

    @property
    def games(self) -> int:
        """The maximum number of imagined games per decision."""
        return sum(most * deals for most, deals in self.rounds)


class ImaginedResult(NamedTuple):
    """The result of an imagined game: twice the place, and the money in a ledger's units."""

    place: int
    money: int


class Dream:
    """The imagined games of one decision; all candidates meet the same deals."""

    def __init__(
        self,
        observation: Observation,
        reading: Reading,
        plan: Decomposer,
        weights: Weights,
        style: Style,
        dice: Random,
    ) -> None:
        assert observation.seat is not None
        self._observation = observation
        self._seat = observation.seat
        self._reading = reading
        self._plan = plan
        self._style = style
        self._dice = dice
        self._random = dice.random
        self._weights = weights
        self._hand = pack(observation.hand)
        known = [card for cards in reading.known.values() for card in cards]
        self._pool = [card for card in reading.unseen if card not in known]
        self._known = reading.known
        self._ruleset = observation.ruleset
        self._players = observation.players
        self._rollout = Rollout(observation.ruleset, observation.players, self._seat, weights)
        self._out = sum(1 << seat for group in observation.placings for seat in group)
        self._locked = sum(1 << seat for seat in observation.locked_out)
        self._sizes = [
            0 if self._out >> seat & 1 else count for seat, count in enumerate(reading.counts)
        ]
        self._top = 0
        self._top_by = self._seat
        self._play = 0
        if observation.to_beat_by is not None:
            self._play = table(observation.ruleset).classify(pack(observation.to_beat))
            self._top = code_of(self._play)
            self._top_by = observation.to_beat_by

    def best_of(self, candidates: list[Candidate]) -> Candidate:
        """Return the candidate with the highest total; ties go by their own score."""
        own = {c: self._left_by(c) for c in candidates}
        if core := imagination(self._ruleset, self._players, self._weights):
            best = core.best_of(self._question(candidates, own), self._dice)
            if best is not None:
                return candidates[best]
        totals = {c: self._style.trust * c.score for c in candidates}
        for most, deals in self._style.rounds:
            candidates = candidates[:most]
            for _ in range(deals):
                hands, ranks = self._deal()
                self._rollout.begin_deal(int(self._random() * TEMPERS))
                for candidate in candidates:
                    hands[self._seat], ranks[self._seat] = own[candidate]
                    totals[candidate] += 100 * self._reward(self._rollout, candidate, hands, ranks)
            candidates.sort(key=lambda c: (-totals[c], -c.score))
        return candidates[0]

    def best_foreseen(self, choices: list[SeatAction], style: Foresight) -> SeatAction:
        """Return the best of some plays and a pass, looking ahead as far as `style` says."""
        classify = table(self._ruleset).classify
        sight = Sight(
            top=self._play,
            passed=passed_on_top(self._observation),
            unplayed=pack(self._reading.unseen) + self._hand,
            hand=self._hand,
            plays=[classify(pack(action.cards)) if action.cards else 0 for action in choices],
            habits=habits(self._observation),
        )
        past = past_of(self._observation, self._reading)
        core = foresight(self._ruleset, self._players, self._weights)
        return choices[core.best_foreseen(self._question([], {}), sight, past, style, self._dice)]

    def results_of(self, candidates: list[Candidate], deals: int) -> list[list[ImaginedResult]]:
        """Return each candidate's results in `deals` deals, which are the same for all."""
        own = [self._left_by(c) for c in candidates]
        found = None
        if core := imagination(self._ruleset, self._players, self._weights):
            question = self._question(candidates, dict(zip(candidates, own, strict=True)))
            found = core.results_of(question, deals, self._dice)
        if found is None:
            found = self._results_of(candidates, own, deals)
        return [[ImaginedResult(*split(result)) for result in results] for results in found]

    def _results_of(
        self, candidates: list[Candidate], own: list[tuple[list[int], int]], deals: int
    ) -> list[list[int]]:
        ledger = Ledger(self._ruleset, self._players)
        rollout = Rollout(self._ruleset, self._players, self._seat, self._weights, ledger)
        found: list[list[int]] = [[] for _ in candidates]
        for _ in range(deals):
            hands, ranks = self._deal()
            rollout.begin_deal(int(self._random() * TEMPERS))
            for number, candidate in enumerate(candidates):
                hands[self._seat], ranks[self._seat] = own[number]
                found[number].append(self._reward(rollout, candidate, hands, ranks))
        return found

    def _question(
        self, candidates: list[Candidate], own: dict[Candidate, tuple[list[int], int]]
    ) -> Imagining:
        return Imagining(
            seat=self._seat,
            out=self._out,
            locked=self._locked,
            top=self._top,
            top_by=self._top_by,
            pool=self._pool,
            sizes=self._sizes,
            known=self._known,
            rounds=self._style.rounds,
            options=[
                Option(c.shape, c.action.cards, c.score, self._style.trust * c.score, *own[c])
                for c in candidates
            ],
        )

    def _left_by(self, candidate: Candidate) -> tuple[list[int], int]:
        """Return the groups and the ranks of the hand that a candidate leaves."""
        left = self._hand - pack(candidate.action.cards)
        return with_suits(candidate.groups, left), int.from_bytes(rank_counts(left), "little")

    def _deal(self) -> tuple[list[list[int]], list[int]]:
        """Deal the unknown cards at random; return the groups and the ranks of every other seat."""
        random = self._random
        cards = sorted(self._pool, key=lambda _: random())
        hands: list[list[int]] = [[] for _ in range(self._players)]
        ranks = [0] * self._players
        at = 0
        for seat in self._reading.opponents:
            known = self._known.get(seat, ())
            end = at + self._sizes[seat] - len(known)
            packed = pack(cards[at:end]) + pack(known)
            at = end
            counts = packed.to_bytes(RANK_BYTES, "little").translate(BYTE_SIZE)
            hands[seat] = with_suits(self._plan.best(counts)[1], packed)
            ranks[seat] = int.from_bytes(counts, "little")
        return hands, ranks

    def _reward(
        self, rollout: Rollout, candidate: Candidate, hands: list[list[int]], ranks: list[int]
    ) -> int:
        """Play out a candidate and return the seat's reward."""
        seat = self._seat
        hands = [groups[:] for groups in hands]
        ranks = ranks[:]
        sizes = self._sizes[:]
        locked, top, top_by = self._locked, self._top, self._top_by
        if candidate.shape:
            cards = candidate.action.cards
            earned = rollout.earned(candidate.shape, top, top_by)
            top, top_by = candidate.shape << 6 | cards[-1], seat
            sizes[seat] -= len(cards)
        elif top_by == seat:
            return rollout.play(hands, ranks, sizes, seat, 0, seat, 0, self._out)
        else:
            earned = 0
            locked |= 1 << seat
        return earned + rollout.go_on(hands, ranks, sizes, seat, top, top_by, locked, self._out)
