"""Statistics of a bot tournament besides strength: faults, seats, hands, chops, time."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.sim import designs
from engine.sim.effects import MOST_POINTS
from engine.sim.faults import CRASHED, ILLEGAL, KINDS, PROTOCOL, SLOW
from engine.statistics import Estimate, Rate
from league.base.facts.interval_rows import IntervalRow, drawn
from league.models import Event
from tables.models import Run
from tables.runs import run_ratings, runs
from tables.runs.verdicts import Totals

SHOWN_NOTES = 10
KIND_NAMES = {
    ILLEGAL: gettext_lazy("illegal play"),
    SLOW: gettext_lazy("too slow"),
    CRASHED: gettext_lazy("crashed"),
    PROTOCOL: gettext_lazy("broke the protocol"),
}
IN_ORDER = (
    gettext_lazy("leads"),
    gettext_lazy("plays second"),
    gettext_lazy("plays third"),
    gettext_lazy("plays fourth"),
)
FEWEST_DEALS = 5
"""The fewest deals for which a row of hands is shown."""


@dataclass(frozen=True)
class Verdicts:
    """A bot's games with faults, in the order of `engine.sim.faults.KINDS`.

    `share` is in percent of the games that it began; with too large a share it is `unrated`.
    """

    name: str
    games: list[int]
    share: float
    unrated: bool

    @property
    def of_kind(self) -> dict[str, int]:
        return dict(zip(KINDS, self.games, strict=True))


@dataclass(frozen=True)
class Note:
    """A bot's fault in one game; deal and game count from 1.

    `move` is the number of actions before it, None for a fault of an older run. `event` is the
    tournament in which its position can be opened, None for a test match.
    """

    name: str
    kind: str
    deal: int
    game: int
    text: str
    move: int | None = None
    event: int | None = None


@dataclass(frozen=True)
class Thinking:
    """A bot's thinking times in milliseconds; `share` is in percent of the largest mean."""

    name: str
    decisions: int
    mean: float
    median: float
    slow: float
    longest: float
    share: float


@dataclass(frozen=True)
class RunEffects:
    """The rows of each statistic; old runs lack all but `thinking`, as they did not count them."""

    thinking: list[Thinking]
    positions: list[IntervalRow] = field(default_factory=list)
    hands: list[IntervalRow] = field(default_factory=list)
    chops: list[IntervalRow] = field(default_factory=list)
    chopped: list[IntervalRow] = field(default_factory=list)
    instant: list[IntervalRow] = field(default_factory=list)
    leads: Estimate | None = None


def effects(run: Run, names: list[str], totals: Totals) -> RunEffects:
    """Return the statistics that the run has counted."""
    thinking = _thinking(names, totals)
    if "positions" not in totals.moments:
        return RunEffects(thinking)
    bots, design = len(names), run.design
    games = designs.games_of_deal(bots, design)
    chairs = designs.chairs_of_deal(bots, design)
    players = designs.table_size(bots, design)
    full = 2 * (players - 1) / 100
    positions = totals.moments["positions"]

    def of_each(what: str, per_games: int) -> list[IntervalRow]:
        """Return a row for each bot; none if all means are zero."""
        counted = totals.moments[what]
        means = [counted.rate(i, chairs, chairs / per_games) for i in range(bots)]
        return _rows(names, means, 0.0) if any(one.mean for one in means) else []

    return RunEffects(
        thinking,
        positions=_rows(
            [str(words) for words in IN_ORDER[:players]],
            [positions.mean(seat, full * games) for seat in range(players)],
            50.0,
            most=100.0,
        ),
        hands=_hands(totals, full),
        chops=of_each("chops", 100),
        chopped=of_each("chopped", 100),
        instant=of_each("instant", 1000),
        leads=totals.moments["leads"].mean(0, games),
    )


def verdicts_on(run: Run, names: list[str], totals: Totals) -> list[Verdicts]:
    """Return each bot's verdicts; none if no bot had a fault."""
    if not totals.faults:
        return []
    chairs = totals.moments["scores"].deals * designs.chairs_of_deal(len(names), run.design)
    counted = [[totals.faults[bot, kind] for kind in KINDS] for bot in range(len(names))]
    gone = {(bot.name, bot.version) for bot in run_ratings.unrated([run])}
    return [
        Verdicts(name, games, 100 * sum(games) / chairs, entry in gone)
        for name, games, entry in zip(names, counted, run_ratings.entries_of(run), strict=True)
    ]


def notes(run: Run, names: list[str], only: Collection[int] | None = None) -> list[Note]:
    """Return the first faults, of all entries or of `only` these, with the bots' output."""
    first = islice(all_notes(run, names, only), SHOWN_NOTES)
    return [replace(note, kind=str(KIND_NAMES[note.kind])) for note in first]


def all_notes(run: Run, names: list[str], only: Collection[int] | None) -> Iterator[Note]:
    """Yield the first faults of each batch; kinds are those of `engine.sim.faults`."""
    event = Event.objects.filter(run=run).values_list("pk", flat=True).first()
    for found in runs.faulty(run).values_list("tally__notes", flat=True):
        for bot, kind, deal, game, text, *move in found or ():
            if only is None or bot in only:
                at = move[0] if move and move[0] >= 0 else None
                yield Note(names[bot], kind, deal + 1, game + 1, text, at, event)


def _hands(totals: Totals, full: float) -> list[IntervalRow]:
    """Return a row for each value of a hand, the weakest first; rare values are left out."""
    found = [(points, hand.estimate(full)) for points, hand in enumerate(totals.hands)]
    frequent = [(points, mean) for points, mean in found if mean.deals >= FEWEST_DEALS]
    labels = [
        _("%(n)s points or more") % {"n": points}
        if points == MOST_POINTS
        else ngettext("%(n)s point", "%(n)s points", points) % {"n": points}
        for points, _mean in frequent
    ]
    return _rows(labels, [mean for _points, mean in frequent], 50.0, most=100.0)


def _rows(
    names: Iterable[str], means: Sequence[Estimate | Rate], reference: float, most: float = math.inf
) -> list[IntervalRow]:
    """Return the rows, intervals clipped to 0 and `most`."""
    ends = [(one.mean, max(0.0, one.low), min(most, one.high)) for one in means]
    return drawn(names, ends, reference)


def _thinking(names: list[str], totals: Totals) -> list[Thinking]:
    """Return a row for each bot with timed decisions."""
    timed = [
        (name, counted) for name, counted in zip(names, totals.thinking, strict=True) if counted[0]
    ]
    most = max((total / count for _name, (count, total, _l, _b) in timed), default=0) or 1
    return [
        Thinking(
            name,
            count,
            total / count / 1000,
            _quantile(buckets, 0.5),
            _quantile(buckets, 0.99),
            longest / 1000,
            round(100 * total / count / most, 2),
        )
        for name, (count, total, longest, buckets) in timed
    ]


def _quantile(buckets: Counter[int], part: float) -> float:
    """Return the middle of the quantile's bucket in milliseconds, accurate to 9 %."""
    left = part * sum(buckets.values())
    for bucket, count in sorted(buckets.items()):
        left -= count
        if left <= 0:
            return float(2 ** ((bucket + 0.5) / 4)) / 1000
    return 0.0
