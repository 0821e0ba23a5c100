"""Imagined games from one decision on: deals that fit the observation, played out."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ..rules.actions import SeatAction
from ..rules.cardset import pack, rank_counts
from ..rules.observation import Observation
from ..rules.rule_tables import table
from ..rules.shapes import code_of
from .belief import Reading
from .candidates import Candidate
from .imagination import (
    Belief,
    Foresight,
    Imagining,
    Option,
    Playing,
    Sight,
    imagination,
)
from .past import habits, passed_on_top, past_of
from .policy import with_suits
from .weights import Weights


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


class Dream:
    """The imagined games of one decision; all candidates meet the same deals."""

    def __init__(
        self,
        observation: Observation,
        reading: Reading,
        weights: Weights,
        style: Style,
        dice: Random,
    ) -> None:
        assert observation.seat is not None
        self._observation = observation
        self._reading = reading
        self._style = style
        self._dice = dice
        self._hand = pack(observation.hand)
        self._table = table(observation.ruleset)
        self._play = 0
        if observation.to_beat_by is not None:
            self._play = self._table.classify(pack(observation.to_beat))
        self._core = imagination(observation.ruleset, observation.players, weights)

    def best_of(self, candidates: list[Candidate]) -> Candidate:
        """Return the candidate with the highest total; ties go by their own score."""
        most = self._style.rounds[0][0]
        return candidates[self._core.best_of(self._question(candidates[:most]), self._dice)]

    def best_foreseen(self, choices: list[SeatAction], style: Foresight) -> SeatAction:
        """Return the best of some plays and a pass, looking ahead as far as `style` says."""
        past = past_of(self._observation, self._reading)
        sight = self._sight(choices)
        return choices[self._core.best_foreseen(self._question([]), sight, past, style, self._dice)]

    def judged(
        self,
        choices: list[SeatAction],
        belief: Belief,
        settings: Playing,
        hands: Sequence[int] = (),
    ) -> list[int]:
        """Return the rows of the choices' games, deal by deal; `hands` are all hands, if known."""
        past = past_of(self._observation, self._reading) if belief.share else []
        sight = self._sight(choices)._replace(hands=hands)
        return self._core.judged(self._question([]), sight, past, belief, settings, self._dice)

    def _sight(self, choices: list[SeatAction]) -> Sight:
        return Sight(
            top=self._play,
            passed=passed_on_top(self._observation),
            unplayed=pack(self._reading.unseen) + self._hand,
            hand=self._hand,
            plays=[
                self._table.classify(pack(action.cards)) if action.cards else 0
                for action in choices
            ],
            habits=habits(self._observation),
        )

    def _question(self, candidates: list[Candidate]) -> Imagining:
        seen, reading = self._observation, self._reading
        assert seen.seat is not None
        known = {card for cards in reading.known.values() for card in cards}
        out = {seat for group in seen.placings for seat in group}
        return Imagining(
            seat=seen.seat,
            out=sum(1 << seat for seat in out),
            locked=sum(1 << seat for seat in seen.locked_out),
            top=code_of(self._play) if self._play else 0,
            top_by=seen.seat if seen.to_beat_by is None else seen.to_beat_by,
            pool=[card for card in reading.unseen if card not in known],
            sizes=[0 if seat in out else count for seat, count in enumerate(reading.counts)],
            known=reading.known,
            rounds=self._style.rounds,
            options=[self._option(candidate) for candidate in candidates],
        )

    def _option(self, candidate: Candidate) -> Option:
        cards, score = candidate.action.cards, candidate.score
        left = self._hand - pack(cards)
        groups = with_suits(candidate.groups, left)
        ranks = int.from_bytes(rank_counts(left), "little")
        return Option(candidate.shape, cards, score, self._style.trust * score, groups, ranks)
