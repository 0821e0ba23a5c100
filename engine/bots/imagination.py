"""The imagined games of `engine.bots.search`, played by the kernels."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import log
from pathlib import Path
from random import Random
from threading import get_ident
from typing import Any, NamedTuple

from ..core.compiled import Core, Numbers, plain
from ..core.games import words
from ..core.kernels import judged, mind_layout, past_layout
from ..core.kernels import layout as game_layout
from ..core.kernels import plan_layout as layout
from ..core.mind import Mind
from ..core.rules_data import rules_data
from ..core.store import current
from ..rules.cardset import BITS, MASK, RANK_BYTES
from ..rules.ruleset import Ruleset
from ..rules.shapes import code_of
from .money import Money
from .past import Decision
from .policy import RANKS, SIZE, policy
from .weights import Weights, cost_of

_WORDS = 624
_MOST_ROUNDS = 8
_PLAIN = plain()
SHIPPED = Path(__file__).parent / "data" / "master.net"
WORTH = (0.6, 0.25, 0.15)
"""The value of finishing first, in the top two and in the top three, as in training."""
_FIRST = 600
"""A first place in hundredths of a turn; a turn is worth half a place (engine.bots.search)."""
_HEAT = 12
"""How far a wavering player's choices stray, in hundredths of a turn."""


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
    are the seats', laid out as in `kernels.mind_layout`; `hands` are all hands, where known.
    """

    top: int
    passed: int
    unplayed: int
    hand: int
    plays: Sequence[int]
    habits: Sequence[int]
    hands: Sequence[int] = ()


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


class Playing(NamedTuple):
    """How a judge's games are played, laid out as in `kernels.judged`.

    `far`: the number of the seat's own choices before the network tells the end, or -1. With `free`
    the choice of a wavering player is one more candidate, the first. `open_hands`: all hands are
    known. With a `seed` all players waver; `turns` were played before. `must`: the card that the
    first play has to contain, -1 if any will do, or -2 if it was made.
    """

    deals: int
    far: int = -1
    free: int = 0
    open_hands: int = 0
    seed: int = -1
    turns: int = 0
    must: int = -2


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
        self._dream = core.blank(layout.DREAM_SIZE)
        self._work = core.blank(game_layout.SIZE)
        self._no_answers = core.blank(layout.MOST_BROKEN)
        self._rewards = rewards(ruleset, players)
        self._notes = core.blank(mind_layout.NOTES)
        self._sums = core.sums()
        self._mind: Any = None
        self._past = core.blank(past_layout.PAST_SIZE)

    def best_of(self, question: Imagining, dice: Random) -> int:
        """Return the number of the option with the highest total; ties go by their own score."""
        assert len(question.options) <= layout.MOST_CANDIDATES
        self._forget_answers()
        self._ask(question, dice)
        best = int(self._core.imagine(self._rules, self._plan, self._dream))
        self._give_back(dice)
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
        looks = [style.trust, style.doubt, style.far]
        self._look(question._replace(rounds=style.rounds), sight, looks, dice)
        self._tell(past, style.belief)
        best = int(self._core.foresee(*self._arrays()))
        self._give_back(dice)
        return best

    def judged(
        self,
        question: Imagining,
        sight: Sight,
        past: Sequence[Decision],
        belief: Belief,
        settings: Playing,
        dice: Random,
    ) -> list[int]:
        """Return the rows of a judge's games (`kernels.judged`), which follow its settings.

        Without a past the deals are random; where the hands are known, they are the sight's.
        """
        self._look(question, sight, [0, 0, 0], dice)
        for seat, hand in enumerate(sight.hands):
            self._write(layout.D_HANDS + 2 * seat, words(hand))
        self._tell(past, belief)
        rows = settings.deals * (len(sight.plays) + settings.free)
        out = self._core.blank(judged.J_ROW * rows)
        room = [0] * (judged.J_WAVER - len(settings))
        self._core.judge(*self._arrays(), self._core.array([*settings, *room, *wavers()]), out)
        self._give_back(dice)
        return _listed(out)

    def _look(self, question: Imagining, sight: Sight, looks: Sequence[int], dice: Random) -> None:
        """Write a decision as the network sees it."""
        assert len(sight.plays) <= layout.MOST_CANDIDATES
        self._ask(question, dice)
        self._write(layout.D_CANDIDATES, [len(sight.plays)])
        table = [*words(sight.top), sight.passed, *words(sight.unplayed)]
        self._write(layout.D_TOP_LOW, table)
        self._write(layout.D_HANDS + 2 * question.seat, words(sight.hand))
        self._write(layout.D_PLAYS, [word for play in sight.plays for word in words(play)])
        self._write(layout.D_REWARDS, self._rewards)
        self._write(layout.D_CHOP, [100 * self._money[0], *looks, *sight.habits])
        if self._mind is None:
            self._mind = self._core.mind(shipped_mind())

    def _arrays(self) -> tuple[Any, ...]:
        """Return the arrays of the kernels that ask the network."""
        own = self._rules, self._plan, self._dream, self._work, self._notes
        return *own, self._mind, self._sums, self._past

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

    def _forget_answers(self) -> None:
        """Clear the cache of answers that break up groups, which lasts for one decision."""
        end = layout.BROKEN_KEY + layout.MOST_BROKEN
        self._plan[layout.BROKEN_KEY : end] = self._no_answers
        self._plan[layout.BROKEN] = 0

    def _give_back(self, dice: Random) -> None:
        """Set the dice to their state after the kernels' throws."""
        self._core.finish_round(self._dream, layout.D_DIE)
        version, _, gauss = dice.getstate()
        state = tuple(_listed(self._dream[layout.D_DIE : layout.D_DIE + _WORDS + 1]))
        dice.setstate((version, state, gauss))

    def _ask(self, question: Imagining, dice: Random) -> None:
        assert len(question.rounds) <= _MOST_ROUNDS
        self._write(layout.D_DIE, [*dice.getstate()[1], _WORDS])
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


def imagination(ruleset: Ruleset, players: int, weights: Weights) -> Imagination:
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
def wavers() -> list[int]:
    """Return how far a wavering player's choices stray: the quantiles of Gumbel's distribution."""
    middles = [(at + 0.5) / judged.WAVERS for at in range(judged.WAVERS)]
    return [round(-log(-log(middle)) * _HEAT * mind_layout.CERTAIN) for middle in middles]


@cache
def shipped_mind() -> Mind:
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
