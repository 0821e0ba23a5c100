"""Luck and skill of a person in reviewed online games: by month, phase and strength of hand."""

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, floor, sqrt
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.actions import action_from_json
from engine.rules.cards import TWO, parse_cards
from engine.statistics.intervals import Estimate
from league.base.domain.grouped import grouped
from league.seasons.domain.luck import over_nights
from tables.base.placings import beaten
from tables.models import Action, Review, Seat
from tables.reviews.facts.puzzles import reviews_of

ENOUGH, MOST_GAMES, LATE, EARLY, CHOP = 30, 200, 4, 10, 4
"""Decisions from which on anything is said; games looked at; cards of the phases and a chop."""
LEAST_OF_HABIT, SCALE = 10, 30.0
LEFT, RIGHT, TOP, BOTTOM, MOST_LEVELS = 40.0, 312.0, 10.0, 150.0, 5


@dataclass(frozen=True)
class DecisionMade:
    """A decision with the cards in hand, what was played, and the judge's best."""

    hand: tuple[int, ...]
    played: Any
    best: Any
    loss: float
    at_stake: float
    may_pass: bool
    may_chop: bool


@dataclass(frozen=True)
class GameMade:
    """A reviewed game of the person: opponents beaten, what the hand was worth, the decisions."""

    at: datetime.datetime
    size: int
    result: float
    worth: float
    terms: list[float]
    decisions: list[DecisionMade]


@dataclass(frozen=True)
class Month:
    """A month's games: the result against the middle, luck, and what one's own decisions added.

    In places, for one month or added up until it; `x` is where it stands in a chart.
    """

    first: datetime.date
    games: int
    result: float
    luck: float
    own: float
    x: float = 0.0


@dataclass(frozen=True)
class Accuracy:
    """What was kept of all that was at stake, in percent, with its interval over games."""

    percent: int
    margin: float | None
    lost: float
    at_stake: float


@dataclass(frozen=True)
class MonthCurves:
    """The sums from month to month: of the results, and of those without luck."""

    levels: list[tuple[float, int]]
    months: list[Month]
    real: str
    fair: str


@dataclass(frozen=True)
class LossRow:
    """Places given away in each 100 decisions of one kind, with the interval over games."""

    name: str
    note: str
    estimate: Estimate
    decisions: int

    @property
    def lost(self) -> float:
        return 100 * self.estimate.mean

    @property
    def margin(self) -> float | None:
        """Half of the interval; None for one game."""
        return 100 * self.estimate.margin if self.estimate.deals > 1 else None

    @property
    def width(self) -> float:
        """The length of the bar, of 100."""
        return _length(self.lost)

    @property
    def ends(self) -> tuple[float, float]:
        """Where the interval's line begins and ends."""
        margin = self.margin or 0.0
        return _length(self.lost - margin), _length(self.lost + margin)


@dataclass(frozen=True)
class Habit:
    """How often one does something, beside the judge in the same positions, in percent."""

    name: str
    mine: int
    judges: int
    of: int

    @property
    def far(self) -> float:
        """From which difference on it says anything: two errors of a rate."""
        return 100 / sqrt(self.of)

    @property
    def drawn(self) -> tuple[float, float, float, float]:
        """Where both stand on an axis from 4 to 336, and between which ends they are alike."""
        ends = (max(self.judges - self.far, 0), min(self.judges + self.far, 100))
        low, high, mine, judges = (
            round(4 + 3.32 * percent, 1) for percent in (*ends, self.mine, self.judges)
        )
        return mine, judges, low, round(high - low, 1)

    @property
    def note(self) -> str:
        """Whether the difference says anything."""
        if abs(self.mine - self.judges) <= self.far:
            return _("Like the judge.")
        if self.mine > self.judges:
            return _("More often than the judge.")
        return _("Less often than the judge.")


@dataclass(frozen=True)
class InsightsPage:
    """What a person's reviewed games say; `lacking` are the decisions that it still needs."""

    games: int
    decisions: int
    lacking: int
    luck: float
    own: float
    accuracy: Accuracy | None
    months: list[Month]
    curves: MonthCurves | None
    phases: list[LossRow]
    hands: list[LossRow]
    habits: list[Habit]


def insights_page(user: User) -> InsightsPage:
    """Return the insights of a person, from the latest reviewed games."""
    games = _games_of(user)
    count = sum(len(game.decisions) for game in games)
    lacking = max(0, ENOUGH - count)
    if lacking:
        return InsightsPage(len(games), count, lacking, 0.0, 0.0, None, [], None, [], [], [])
    return InsightsPage(
        len(games),
        count,
        0,
        sum(_luck(game) for game in games),
        sum(game.terms[3] for game in games),
        _accuracy(games),
        (months := _months(games)),
        _curves(months[::-1]),
        _phases(games),
        _hands(games),
        _habits([one for game in games for one in game.decisions]),
    )


def _length(lost: float) -> float:
    return round(min(max(lost, 0.0) / SCALE, 1.0) * 100, 1)


def _games_of(user: User) -> list[GameMade]:
    own = set(Seat.objects.filter(user=user).values_list("pk", flat=True))
    mine = [
        (review, seat)
        for review in reviews_of(user, MOST_GAMES)
        for seat, key in enumerate(review.game.holders)
        if key in own
    ]
    plays: defaultdict[int, dict[int, Any]] = defaultdict(dict)
    actions = Action.objects.filter(game__in=[review.game_id for review, _seat in mine])
    for game, seq, body in actions.values_list("game", "seq", "body"):
        plays[game][seq] = body
    return [_game(review, seat, plays[review.game_id]) for review, seat in mine]


def _game(review: Review, seat: int, plays: dict[int, Any]) -> GameMade:
    game, body = review.game, review.body or {}
    assert game.outcome is not None
    assert game.over_at is not None
    hand, decisions = set(parse_cards((game.dealt or [])[seat])), []
    steps = {one["step"]: one for one in body["decisions"] if one["seat"] == seat}
    for step, seq in enumerate(sorted(plays)):
        if (one := steps.get(step)) is not None:
            played, best = (action_from_json(one[key]) for key in ("played", "best"))
            decisions.append(
                DecisionMade(
                    tuple(sorted(hand)),
                    played,
                    best,
                    one["loss"],
                    one.get("at_stake", 0.0),
                    any(action["do"] == "pass" for action, _value in one["top"]),
                    one.get("chop", False),
                )
            )
        if plays[seq]["seat"] == seat:
            hand -= set(parse_cards(plays[seq].get("cards", "")))
    return GameMade(
        game.over_at,
        len(game.holders),
        float(beaten(game.outcome["placings"])[seat]),
        float(body["values"][0][seat]),
        body["terms"][seat],
        decisions,
    )


def _luck(game: GameMade) -> float:
    """Return the cards and the seat, and what one could not know."""
    return game.terms[0] + game.terms[2]


def _months(games: Sequence[GameMade]) -> list[Month]:
    by_month = grouped((timezone.localdate(game.at).replace(day=1), game) for game in games)
    return [
        Month(
            first,
            len(own),
            sum(sum(game.terms) for game in own),
            sum(map(_luck, own)),
            sum(game.terms[3] for game in own),
        )
        for first, own in sorted(by_month.items(), reverse=True)
    ]


def _accuracy(games: Sequence[GameMade]) -> Accuracy | None:
    """Return what was kept of all that was at stake: the judge has 100 and choices by lot 0."""
    decisions = [one for game in games for one in game.decisions]
    lost, stake = sum(one.loss for one in decisions), sum(one.at_stake for one in decisions)
    if stake <= 0:
        return None
    percent = round(100 * min(max(1 - lost / stake, 0.0), 1.0))
    rests = [[d.loss - lost / stake * d.at_stake for d in g.decisions] for g in games]
    over = over_nights([own for own in rests if own])
    margin = 100 * over.margin * len(decisions) / stake if over.deals > 1 else None
    return Accuracy(percent, margin, max(lost, 0.0), stake)


def _curves(months: Sequence[Month]) -> MonthCurves | None:
    """Return the sums after each month, the first one first; None for a single month."""
    if len(months) < 2:
        return None
    real = [0.0, *accumulate(month.result for month in months)]
    fair = [0.0, *accumulate(month.result - month.luck for month in months)]
    low, high = floor(min(*real, *fair)), ceil(max(*real, *fair))
    step, wide = (TOP - BOTTOM) / max(high - low, 1), (RIGHT - LEFT) / len(months)

    def height(y: float) -> float:
        return round(BOTTOM + (y - low) * step, 1)

    def line(sums: Sequence[float]) -> str:
        points = enumerate(sums)
        return " ".join(
            f"{LEFT + at * wide:.1f},{BOTTOM + (y - low) * step:.1f}" for at, y in points
        )

    every = ceil((high - low) / MOST_LEVELS) or 1
    return MonthCurves(
        [(height(y), y) for y in range(low, high + 1, every)],
        [replace(m, x=round(LEFT + at * wide, 1)) for at, m in enumerate(months, start=1)],
        line(real),
        line(fair),
    )


def _rows(
    games: Iterable[GameMade],
    kinds: Sequence[tuple[str, str, Callable[[GameMade, DecisionMade], bool]]],
) -> list[LossRow]:
    """Return what each kind of decision gave away; the games are what the interval is over."""
    games = list(games)
    rows = []
    for name, note, is_one in kinds:
        found = [[d.loss for d in game.decisions if is_one(game, d)] for game in games]
        losses = [own for own in found if own]
        if losses:
            rows.append(LossRow(name, note, over_nights(losses), sum(map(len, losses))))
    return rows


def _phases(games: Sequence[GameMade]) -> list[LossRow]:
    return _rows(
        games,
        [
            (_("Opening"), _("13 to 10 cards"), lambda _g, d: len(d.hand) >= EARLY),
            (_("Middle"), _("9 to 5 cards"), lambda _g, d: LATE < len(d.hand) < EARLY),
            (_("End"), _("4 cards or fewer"), lambda _g, d: len(d.hand) <= LATE),
        ],
    )


def _hands(games: Sequence[GameMade]) -> list[LossRow]:
    def share(game: GameMade) -> float:
        return game.worth / (game.size - 1)

    return _rows(
        games,
        [
            (
                _("Good hands"),
                _("worth more than 60% of the opponents"),
                lambda g, _d: share(g) > 0.6,
            ),
            (_("Fair hands"), _("worth 40 to 60%"), lambda g, _d: 0.4 <= share(g) <= 0.6),
            (_("Bad hands"), _("worth less than 40%"), lambda g, _d: share(g) < 0.4),
        ],
    )


def _habits(decisions: Sequence[DecisionMade]) -> list[Habit]:
    asked: list[tuple[str, Callable[[DecisionMade], bool], Callable[[Any], bool]]] = [
        (_("Passes though able to play"), lambda d: d.may_pass, lambda a: not a.cards),
        (
            _("Keeps a 2 at the last five cards"),
            lambda d: len(d.hand) <= 5 and any(card >> 2 == TWO for card in d.hand),
            lambda a: not any(card >> 2 == TWO for card in a.cards),
        ),
        (_("Chops when able to"), lambda d: d.may_chop, lambda a: len(a.cards) >= CHOP),
        (
            _("Plays three cards or more at once"),
            lambda d: len(d.hand) >= EARLY and not d.may_pass,
            lambda a: len(a.cards) >= 3,
        ),
    ]
    found = []
    for name, is_asked, does in asked:
        here = [one for one in decisions if is_asked(one)]
        if len(here) >= LEAST_OF_HABIT:
            mine, judges = (
                round(100 * sum(does(getattr(one, who)) for one in here) / len(here))
                for who in ("played", "best")
            )
            found.append(Habit(name, mine, judges, len(here)))
    return found
