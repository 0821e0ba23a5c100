"""The scoring of a season or an event: one frozen value with a JSON form."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

from engine.rules.texts import mark as _
from league.base.domain.settings import choice, exact, settings_of, tick, whole

from .errors import FieldError
from .exact import read_object, read_settings
from .points import BY_FINAL_PLACE, STANDARD, Points, PointsTable, read_place_points

Counting = Literal["fixed", "average", "night_average", "table_ranking"]
COUNTINGS: tuple[str, ...] = get_args(Counting)
COUNTING_NAMES = {
    "fixed": _("A fixed number; every game counts"),
    "average": _("Until time is up; the average counts"),
    "table_ranking": _("Until time is up; the table's ranking counts"),
}
Gives = Literal["games", "places", "nothing"]
GIVES_NAMES = {
    "games": _("the points of its games"),
    "places": _("points for its final places"),
    "nothing": _("no points"),
}

_TAKEN = ("absence", "lateness")


@dataclass(frozen=True, slots=True)
class Scoring:
    """How results become points. An invalid value raises `FieldError` with the field's name.

    For a night: `points_table`, `weight` (multiplies all points of the night),
    `participation_bonus` (once per player), `head_count_bonus` (times the number of players),
    `counting`, `games_per_round`, `stake_unit` (minor units of money per point); `absence` and
    `lateness` are penalties, 0 or below, for missing the call and for coming after it.

    For a season: the best `best_of` of its `nights` count, `drop_worst` nights are dropped, and
    players with fewer than `minimum_games` are listed without a rank; `luck` shows what
    the hands of reviewed online games were worth.

    `counting` is `fixed` (every game counts in full), `average` (a sitting is worth the mean of its
    games), `night_average` (a night is worth the mean of its games, for formats in which players
    change tables between games) or `table_ranking` (the ranking of a sitting over its games is one
    placing).

    `gives` is what a night gives the season: the points of its `games`, points for its final
    `places` once it is closed (`place_points`; places beyond them give 0) or `nothing`. The night's
    own table always counts its games.
    """

    points_table: PointsTable = STANDARD
    participation_bonus: Fraction = exact(0, _("Attendance points per night"), of="night")
    head_count_bonus: Fraction = exact(0, _("Points per player present"), of="night")
    absence: Fraction = exact(
        0,
        _("Points for a missed night"),
        of="night",
        may_lack=True,
        help=_(
            "For players who are absent when a call ends: 0, or a penalty such as -2. An organiser "
            "can revoke it."
        ),
    )
    lateness: Fraction = exact(
        0,
        _("Points for coming late"),
        of="night",
        may_lack=True,
        help=_("After a call or the first round: 0, or a penalty such as -0.5."),
    )
    gives: Gives = choice(
        "games",
        _("What a new night gives the season"),
        GIVES_NAMES,
        of="night",
        help=_("The night's own standings always count its games."),
    )
    place_points: Points = BY_FINAL_PLACE
    weight: Fraction = exact(
        1,
        _("Weight of new nights"),
        of="night",
        help=_("2 doubles all points of a night."),
    )
    stake_unit: int = whole(
        1,
        _("Stakes per point"),
        least=1,
        most=1_000_000_000,
        of="night",
        help=_("Only if money results count. Of a currency with cents, in cents: 4 means 0.04."),
    )
    counting: Counting = choice(
        "fixed",
        _("How games count in new nights"),
        COUNTING_NAMES,
        takes=COUNTINGS,
        of="night",
    )
    games_per_round: int = whole(4, _("Games per round"), least=1, most=1000, of="night")
    nights: int | None = whole(
        None,
        _("Nights planned"),
        least=1,
        most=1000,
        of="season",
        help=_("Empty: not decided yet."),
    )
    best_of: int | None = whole(
        None,
        _("Best nights counted"),
        least=1,
        most=1000,
        of="season",
        help=_("Empty: all nights."),
    )
    drop_worst: int = whole(
        0,
        _("Worst nights dropped"),
        least=0,
        most=999,
        of="season",
        help=_(
            "A night missed is dropped first. If best nights are counted too, the rule that "
            "leaves fewer nights applies."
        ),
    )
    minimum_games: int = whole(
        0,
        _("Games needed for a rank"),
        least=0,
        most=1_000_000,
        of="season",
        help=_("Players with fewer are listed without a rank."),
    )
    luck: bool = tick(
        False,
        _("Show the luck in online games"),
        of="season",
        help=_("Shown below the standings, which do not change: what the hands were worth."),
    )

    def __post_init__(self) -> None:
        read_settings(self)
        object.__setattr__(self, "place_points", read_place_points(self.place_points))
        _check(self)

    @property
    def by_games(self) -> Scoring:
        """The scoring of the night's own table, which ranks everyone who played."""
        return replace(self, gives="games", minimum_games=0)

    @property
    def chosen_counting(self) -> Counting:
        """What an organiser chose: the average, also where it covers a whole night."""
        return "average" if self.counting == "night_average" else self.counting

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON values, exact numbers as text; the inverse of `from_json`."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {name: str(values[name]) for name in EXACT}
        values["place_points"] = [str(points) for points in self.place_points]
        return values | {"points_table": self.points_table.to_json()}

    @classmethod
    def from_json(cls, value: Any) -> Scoring:
        """Return the scoring of a JSON object.

        Missing fields have their defaults. Raises `FieldError`.
        """
        try:
            text = json.dumps(value)
        except (TypeError, ValueError):
            return _read(value)
        return _read_text(text)


EXACT = tuple(name for name, row in settings_of(Scoring).items() if row.kind == "exact")


@lru_cache(maxsize=256)
def _read_text(text: str) -> Scoring:
    """Return the scoring of a JSON text, cached: a club's nights share a few."""
    return _read(json.loads(text))


def _read(value: Any) -> Scoring:
    values = read_object(Scoring, value, "scoring", _("is not a field of the scoring settings."))
    if "points_table" in values:
        values["points_table"] = PointsTable.from_json(values["points_table"])
    return Scoring(**values)


def _check(scoring: Scoring) -> None:
    if not isinstance(scoring.points_table, PointsTable):
        raise FieldError("points_table", _("must be a points table."))
    if not 0 < scoring.weight <= 1000:
        raise FieldError("weight", _("must be more than 0 and at most 1000."))
    for name in ("participation_bonus", "head_count_bonus"):
        if getattr(scoring, name) < 0:
            raise FieldError(name, _("may not be negative."))
    for name in _TAKEN:
        points = getattr(scoring, name)
        if not -1000 <= points <= 0 or (points * 1000).denominator != 1:
            raise FieldError(name, _("must be 0 or a penalty down to -1000, such as -2 or -0.5."))
    _check_nights(scoring)
    if scoring.points_table.stake and scoring.counting != "fixed":
        raise FieldError("counting", _("must be fixed when money results count."))


def _check_nights(scoring: Scoring) -> None:
    nights = scoring.nights
    if nights is None:
        return
    if scoring.best_of is not None and scoring.best_of > nights:
        raise FieldError(
            "best_of",
            _("cannot be %(best)s: the season has %(nights)s nights."),
            best=scoring.best_of,
            nights=nights,
        )
    if scoring.drop_worst >= nights:
        raise FieldError(
            "drop_worst",
            _("cannot be %(drop)s: the season has %(nights)s nights and one must count."),
            drop=scoring.drop_worst,
            nights=nights,
        )
