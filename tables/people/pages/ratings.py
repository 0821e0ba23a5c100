"""Ratings of players at rated tables, and a player's rated games."""

from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.db.models.functions import Least

from engine.statistics.strengths import LEAST
from tables.models import RatedPlace, TableStrength

MOST_SHOWN = 50
MOST_GAMES = 30
WIDE, HIGH = 300.0, 60.0
LOW = F("mu") - 1.96 * F("sigma")


@dataclass(frozen=True)
class RatedRow:
    """A line of the list: `place` counts from 1."""

    place: int
    rating: TableStrength
    is_me: bool


@dataclass(frozen=True)
class OwnGame:
    """A rated game of a player: the place, with the rating after it, and against whom."""

    place: RatedPlace
    opponents: list[str]


@dataclass(frozen=True)
class History:
    """A rating over the last games, as a polyline in a picture of `WIDE` by `HIGH`."""

    points: str
    first: float
    last: float


def history(games: list[OwnGame]) -> History | None:
    """Return the rating's line over some games, given newest first; None for fewer than two."""
    values = [game.place.told for game in reversed(games) if game.place.told is not None]
    if len(values) < 2:
        return None
    low, spread = min(values), max(max(values) - min(values), 1.0)
    step = WIDE / (len(values) - 1)
    points = [
        f"{at * step:.1f},{HIGH - 4 - (value - low) / spread * (HIGH - 8):.1f}"
        for at, value in enumerate(values)
    ]
    return History(" ".join(points), values[0], values[-1])


def best() -> Any:
    """Return the strengths by the interval's lower end; those of too few games come last."""
    return TableStrength.objects.order_by(-Least("games", LEAST), -LOW, "pk")


def ratings(user: Any) -> list[RatedRow]:
    """Return the best players, and the reader's own line after them if it is not included."""
    rows = [
        RatedRow(place, rating, rating.user_id is not None and rating.user_id == user.pk)
        for place, rating in enumerate(best()[:MOST_SHOWN], start=1)
    ]
    own = TableStrength.objects.filter(user_id=user.pk).first() if user.pk else None
    if own and not any(row.is_me for row in rows):
        ahead = TableStrength.objects.annotate(low=LOW).filter(games__gte=LEAST)
        rows.append(RatedRow(ahead.filter(low__gt=own.mu - own.margin).count() + 1, own, True))
    return rows


def games_of(user: Any) -> list[OwnGame]:
    """Return a player's last rated games, the newest first."""
    if not user.pk:
        return []
    places = (
        RatedPlace.objects.filter(user_id=user.pk)
        .select_related("rated__game__table")
        .prefetch_related("rated__places")
        .order_by("-pk")
    )
    return [
        OwnGame(
            place,
            [other.name for other in place.rated.places.all() if other.no != place.no],
        )
        for place in places[:MOST_GAMES]
    ]
