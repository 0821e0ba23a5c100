"""The imagined games of `engine.bots.search` on the compiled core, with the same choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from threading import get_ident
from typing import Any, NamedTuple

from engine.bots.past import Decision
from engine.bots.rollout import RANKS, SIZE, Ledger, Money, policy
from engine.bots.weights import Weights, cost_of
from engine.core.compiled import Core, Numbers, plain
from engine.core.games import words
from engine.core.kernels import layout as game_layout
from engine.core.kernels import mind_layout, past_layout
from engine.core.kernels import plan_layout as layout
from engine.core.mind import Mind
from engine.core.rules_data import rules_data
from engine.core.store import current
from engine.rules.cardset import BITS, MASK, RANK_BYTES
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import code_of

_WORDS = 624
_MOST_ROUNDS = 8
_PLAIN = plain()
SHIPPED = Path(__file__).parent / "data" / "master.net"
WORTH = (0.6, 0.25, 0.15)
"""The value of finishing first, in the top two and in the top three, as in training."""
_FIRST = 600
"""A first place in hundredths of a turn; a turn is worth half a place (engine.bots.search)."""


class Option(NamedTuple):
    """A candidate: its play, its own score, its starting total, and the hand it leaves."""

    shape: int
    cards: Sequence[int]
    score: int
    total: int
    groups: Sequence[int]
    ranks: int


class Imagining(NamedTuple):
    """A decision in the kernels' terms; sets of seats are bits, `top` is the code to beat or 0."""

    seat: int
    out: int
    locked: int
    top: int
    top_by: int
    pool: Sequence[int]
    sizes: Sequence[int]
    known: Mapping[int, Sequence[int]]
    rounds: Sequence[tuple[int, int]]
    options: Sequence[Option]


class Sight(NamedTuple):
    """The packed cards of a decision, which the master needs besides `Imagining`.

    `top` is the play to beat or 0, `passed` the seats that passed on it, as bits, `unplayed` all
    cards not yet played, `hand` the seat's hand; `plays` are the choices, 0 for a pass; `habits`
    are the seats', laid out as in `kernels.mind_layout`.
    """

    top: int
    passed: int
    unplayed: int
    hand: int
    plays: Sequence[int]
    habits: Sequence[int]


class Belief(NamedTuple):
    """The influence of the past on the imagined deals.

    `share` percent of the deals explain the others' decisions. Such a deal is half as likely for
    each `unit` (hundredths of a turn) by which they decided worse in it than a planner; one
    decision counts for `most` at most. `first` swaps of cards start the chain, `between` more
    precede each deal.
    """

    unit: int
    most: int
    first: int
    between: int
    share: int


class Foresight(NamedTuple):
    """The settings of the master's search.

    `rounds`: the number of choices and of deals in each round. `trust`: the least number of deals
    that the network's opinion counts for. `doubt`: the number it counts for per squared mean cost
    of the others' decisions to a planner, in hundredths of a turn. `far`: the number of its own
    choices in an imagined game before the network evaluates it.
    """

    rounds: tuple[tuple[int, int], ...]
    trust: int
    doubt: int
    far: int
    belief: Belief


class Imagination:
    """Imagined games of one ruleset with a fixed number of players."""

    def __init__(self, core: Core, ruleset: Ruleset, players: int, weights: Weights) -> None:
        self._core = core
        self._players = players
        self._rules = core.array(rules_data(ruleset, players))
        self._plan = core.blank(layout.PLAN_SIZE)
        flat = worths(ruleset, players, weights)
        self._plan[0 : len(flat)] = flat
        self._money = _purse(Money(ruleset, players))
        self._ledger = _purse(Ledger(ruleset, players))
        self._dream = core.blank(layout.DREAM_SIZE)
        self._work = core.blank(game_layout.SIZE)
        self._rewards = rewards(ruleset, players)
        self._notes = core.blank(mind_layout.NOTES)
        self._sums = core.sums()
        self._mind: Any = None
        self._past = core.blank(past_layout.PAST_SIZE)

    def best_of(self, question: Imagining, dice: Random) -> int | None:
        """Return the number of the best option; the dice advance as they do without the core.

        Return None, with the dice untouched, if the decision does not fit the arrays.
        """
        if len(question.options) > layout.MOST_CANDIDATES or len(question.rounds) > _MOST_ROUNDS:
            return None
        version, state, gauss = dice.getstate()
        self._ask(question)
        self._write(layout.D_DIE, [*state, _WORDS])
        best = int(self._core.imagine(self._rules, self._plan, self._dream))
        if best < 0:
            return None
        dice.setstate((version, self._thrown(), gauss))
        return best

    def best_foreseen(
        self,
        question: Imagining,
        sight: Sight,
        past: Sequence[Decision],
        style: Foresight,
        dice: Random,
    ) -> int:
        """Return the number of the play that ends best if the others play on as planners.

        `past` has the others' decisions, oldest first.
        """
        assert len(sight.plays) <= layout.MOST_CANDIDATES
        version, state, gauss = dice.getstate()
        self._ask(question._replace(rounds=style.rounds))
        self._write(layout.D_CANDIDATES, [len(sight.plays)])
        self._write(layout.D_DIE, [*state, _WORDS])
        table = [*words(sight.top), sight.passed, *words(sight.unplayed)]
        self._write(layout.D_TOP_LOW, table)
        self._write(layout.D_HANDS + 2 * question.seat, words(sight.hand))
        self._write(layout.D_PLAYS, [word for play in sight.plays for word in words(play)])
        self._write(layout.D_REWARDS, self._rewards)
        looks = [style.trust, style.doubt, style.far]
        self._write(layout.D_CHOP, [100 * self._money[0], *looks, *sight.habits])
        if self._mind is None:
            self._mind = self._core.mind(shipped_mind())
        self._tell(past, style.belief)
        arrays = self._dream, self._work, self._notes, self._mind, self._sums, self._past
        best = int(self._core.foresee(self._rules, self._plan, *arrays))
        dice.setstate((version, self._thrown(), gauss))
        return best

    def regrets(self, past: Sequence[Decision], hands: Sequence[int]) -> list[int]:
        """Return, in hundredths of a turn, how much better a planner would have made each decision.

        `hands` are the packed hands that the seats hold now.
        """
        self._tell(past, Belief(1, 1_000_000, 0, 0, 100))
        arrays = self._rules, self._plan, self._work, self._past
        self._work[game_layout.PLAYERS] = self._players
        return [
            int(self._core.regret(*arrays, number, *words(hands[decision.seat])))
            for number, decision in enumerate(past)
        ]

    def _tell(self, past: Sequence[Decision], belief: Belief) -> None:
        past = past[-past_layout.MOST_DECISIONS :]
        self._past[0 : 1 + len(belief)] = [len(past), *belief]
        flat: list[int] = []
        for d in past:
            flat += [
                d.seat, *words(d.top), d.top_by, d.locked, *words(d.unplayed), *words(d.added),
                code_of(d.play) if d.play else 0, d.least, d.must,
            ]  # fmt: skip
        at = past_layout.H_DECISION
        self._past[at : at + len(flat)] = flat

    def results_of(self, question: Imagining, deals: int, dice: Random) -> list[list[int]] | None:
        """Return each option's rewards in `deals` deals; None and the dice as for `best_of`.

        The rewards are a ledger's (`engine.bots.rollout`).
        """
        options = len(question.options)
        if options > layout.MOST_CANDIDATES or deals * options > layout.MOST_RESULTS:
            return None
        version, state, gauss = dice.getstate()
        self._ask(question._replace(rounds=()))
        self._write(layout.D_DIE, [*state, _WORDS])
        self._pay(self._ledger)
        fault = self._core.imagine_all(self._rules, self._plan, self._dream, deals)
        self._pay(self._money)
        if fault:
            return None
        dice.setstate((version, self._thrown(), gauss))
        found = _listed(self._dream[layout.RESULTS : layout.RESULTS + deals * options])
        return [found[number::options] for number in range(options)]

    def _thrown(self) -> tuple[int, ...]:
        """Return the state of `Random` after the kernels' throws."""
        self._core.finish_round(self._dream, layout.D_DIE)
        return tuple(_listed(self._dream[layout.D_DIE : layout.D_DIE + _WORDS + 1]))

    def _pay(self, purse: list[int]) -> None:
        """Set the money of chops and places for the next games."""
        self._plan[layout.CHOP_MONEY] = purse[0]
        self._plan[layout.PLACE_MONEY : layout.PLACE_MONEY + len(purse) - 1] = purse[1:]

    def _ask(self, question: Imagining) -> None:
        self._write(
            0,
            [
                self._players, question.seat, question.out, question.locked, question.top,
                question.top_by, len(question.pool), len(question.options), len(question.rounds), 0,
                *[number for pair in question.rounds for number in pair],
            ],
        )  # fmt: skip
        self._write(layout.D_SIZES, question.sizes)
        known = [question.known.get(seat, ()) for seat in range(self._players)]
        self._write(layout.D_KNOWN, [len(cards) for cards in known])
        for seat, cards in enumerate(known):
            self._write(layout.D_KNOWN_CARDS + 32 * seat, cards)
        self._write(layout.D_CARDS, question.pool)
        flat: list[int] = []
        for shape, cards, score, total, groups, ranks in question.options:
            flat += [
                shape, cards[-1] if cards else 0, len(cards), score, total, len(groups),
                _four_bits(ranks), 0, *groups,
            ]  # fmt: skip
            flat += [0] * (-len(flat) % layout.CANDIDATE)
        self._write(layout.CANDIDATES, flat)

    def _write(self, at: int, numbers: Sequence[int]) -> None:
        self._dream[at : at + len(numbers)] = numbers


def imagination(ruleset: Ruleset, players: int, weights: Weights) -> Imagination | None:
    """Return a table's imagined games on this process's core, or None without a core."""
    core = current()
    return _imagination(core, ruleset, players, weights, get_ident()) if core else None


def foresight(ruleset: Ruleset, players: int, weights: Weights) -> Imagination:
    """Return a table's imagined games; without a core the kernels run as plain Python."""
    return _imagination(current() or _PLAIN, ruleset, players, weights, get_ident())


@lru_cache(maxsize=4)
def _imagination(
    core: Core, ruleset: Ruleset, players: int, weights: Weights, thread: int
) -> Imagination:
    """Return the imagined games of one thread: threads must not share arrays."""
    del thread
    return Imagination(core, ruleset, players, weights)


@cache
def shipped_mind() -> Mind:
    """Return the network that this version ships."""
    return Mind(SHIPPED)


def rewards(ruleset: Ruleset, players: int) -> list[int]:
    """Return the master's reward for each place, with its money, in hundredths of a turn."""
    money = Money(ruleset, players).places
    last = players - 1
    return [
        round(_FIRST * sum(WORTH[place:])) * (place < last)
        + 100 * (money[place] - 2 * (last - place))
        for place in range(players)
    ]


@lru_cache(maxsize=4)
def worths(ruleset: Ruleset, players: int, weights: Weights) -> tuple[int, ...]:
    """Return the start of `plan` for the kernels, laid out as in `kernels.plan_layout`."""
    opinions, purse = policy(weights), _purse(Money(ruleset, players))
    flat = [cost_of(group, weights) for group in range(layout.GROUPS)]
    for temper in opinions.tempers:
        flat += temper.lead
    for temper in opinions.tempers:
        flat += temper.answer
    for temper in opinions.tempers:
        flat += temper.whim
    flat += [*opinions.alone, *opinions.bonus, *SIZE, *map(_four_bits, RANKS)]
    flat += [opinions.danger, opinions.closing, purse[0]]
    flat += [0] * (layout.PLACE_MONEY - len(flat))
    flat += purse[1:]
    flat += [0] * (layout.P_CARDS - len(flat))
    return (
        *flat, weights.cards, weights.forward, weights.beat, weights.beat_rank, weights.danger,
        weights.closing, weights.chop, weights.unanswerable, weights.last_card,
    )  # fmt: skip


def _purse(money: Money) -> list[int]:
    return [money.chop, *money.places]


def _listed(numbers: Numbers) -> list[int]:
    found: list[int] = numbers if isinstance(numbers, list) else numbers.tolist()
    return found


def _four_bits(ranks: int) -> int:
    """Return the number of cards of each rank with four bits per rank instead of a byte."""
    counts = (ranks & MASK).to_bytes(BITS // 8, "little")
    return sum(counts[rank] << 4 * rank for rank in range(RANK_BYTES))
