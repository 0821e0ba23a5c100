"""One entrant's night: the placings, and the lines of its points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from league.base.domain.keys import Key
from league.seasons.domain.same_deals import Beaten
from league.seasons.domain.scoring import Scoring, points_for, points_for_place

What = Literal[
    "placing",
    "place",
    "stake",
    "beaten",
    "participation",
    "head_count",
    "dropped",
    "adjustment",
]


class Share(NamedTuple):
    """The final place `rank` of a night, shared by `tied` players."""

    rank: int
    tied: int = 1


class Finish(NamedTuple):
    """Place `rank` at a table of `size`, shared by `tied` players."""

    size: int
    rank: int
    tied: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sum of an entrant's points: `total` is exactly count × each × weight.

    `count` is a number of games; with `average` their fraction of the sitting's games; for `stake`
    the minor units of money; for `head_count` the players of the night; for a `dropped` night 0. A
    final `place` counts once, and its `placing` is among the players of the night. `games` is the
    number of games behind the line.
    """

    what: What
    count: Fraction
    each: Fraction
    total: Fraction
    event: Key | None = None
    weight: Fraction = Fraction(1)
    placing: Finish | None = None
    sitting: Key | None = None
    games: int = 0
    reason: str = ""


class Counted(NamedTuple):
    """A placing taken `times` times in `games` games; its points count `times` / `of`.

    `of` is 1 if every game counts in full; with `average` it is the number of games of the sitting.
    A table's ranking is one placing for all its games.
    """

    placing: Finish
    times: int
    games: int
    of: int = 1
    sitting: Key | None = None


@dataclass(frozen=True, slots=True)
class NightPart:
    """An entrant's part in one event. `points` is the sum of `lines`, including the weight.

    `players` is the number of entrants who played that night, `money` the net result in minor
    units. `counted` says whether the night counts for the season (best nights, dropped nights).
    `place` is the final place if the night gives points for it; None until the night is closed.
    With `beaten` its games count by the hands that other tables played too, and nothing else does.
    """

    event: Key
    scoring: Scoring
    played: tuple[Counted, ...]
    players: int
    money: int
    points: Fraction
    counted: bool = True
    place: Share | None = None
    beaten: Beaten | None = None

    @property
    def lines(self) -> list[Line]:
        """The lines that sum to `points`, whether or not the night counts."""
        if self.beaten is not None:
            count, percent = Fraction(1, self.beaten.deals), 100 * self.beaten.sum
            total, games = self.points, self.beaten.deals
            return [Line("beaten", count, percent, total, self.event, games=games)]
        return [*self._result(), *self._bonuses()]

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(counted.games for counted in self.played)

    def _result(self) -> Iterator[Line]:
        table = self.scoring.points_table
        if self.scoring.gives == "places":
            if self.place is not None:
                each = points_for_place(self.scoring.place_points, *self.place)
                placing = Finish(self.players, *self.place)
                yield self._line("place", Fraction(1), each, placing, games=self.games)
            return
        if table.stake:
            each = Fraction(1, self.scoring.stake_unit)
            yield self._line("stake", Fraction(self.money), each, games=self.games)
            return
        for placing, times, games, of, sitting in self.played:
            each = points_for(table, *placing)
            yield self._line("placing", Fraction(times, of), each, placing, sitting, games)

    def _bonuses(self) -> Iterator[Line]:
        if self.scoring.participation_bonus:
            yield self._line("participation", Fraction(1), self.scoring.participation_bonus)
        if self.scoring.head_count_bonus:
            yield self._line("head_count", Fraction(self.players), self.scoring.head_count_bonus)

    def _line(
        self,
        what: What,
        count: Fraction,
        each: Fraction,
        placing: Finish | None = None,
        sitting: Key | None = None,
        games: int = 0,
    ) -> Line:
        weight = self.scoring.weight
        total = count * each * weight
        return Line(what, count, each, total, self.event, weight, placing, sitting, games)


class Worth:
    """Points of whole nights under one scoring, with a cache of its placings' points."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        bonuses = scoring.participation_bonus or scoring.head_count_bonus
        self._plain = not bonuses and scoring.weight == 1
        self._known: dict[Finish, tuple[int, int]] = {}

    def of_night(
        self, played: Sequence[Counted], players: int, money: int, place: Share | None = None
    ) -> Fraction:
        """Return the points of a night; they equal the sum of its lines."""
        rules = self.scoring
        if rules.gives == "places":
            points = points_for_place(rules.place_points, *place) if place else Fraction(0)
        elif rules.points_table.stake:
            points = Fraction(money, rules.stake_unit)
        else:
            points = self._of_placings(played)
        if self._plain:
            return points
        bonus = rules.participation_bonus + players * rules.head_count_bonus
        return (points + bonus) * rules.weight

    def _of_placings(self, played: Sequence[Counted]) -> Fraction:
        # Integer sums, one per denominator, are far faster than adding fractions.
        sums: dict[int, int] = {}
        for placing, times, _, of, _ in played:
            if placing not in self._known:
                points = points_for(self.scoring.points_table, *placing)
                self._known[placing] = points.as_integer_ratio()
            above, below = self._known[placing]
            sums[below * of] = sums.get(below * of, 0) + above * times
        fractions = [Fraction(above, below) for below, above in sums.items()]
        return fractions[0] if len(fractions) == 1 else sum(fractions, Fraction(0))
