"""The ratings of a season or a club, their curves, and whether they are behind the results."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count, Max, QuerySet, Sum

from league.models import Audit, Club, Event, Rating, RatingPoint, RatingState, Season

_MERGES = ("player.merged", "player.unmerged")

Night = list[Any]
"""An event, its version and its date: what was rated."""


class Scope(NamedTuple):
    """A season, or a club over all of its seasons."""

    club: Club
    season: Season | None


def of_season(season: Season) -> QuerySet[Rating]:
    """The season's ratings, the strongest first."""
    return season.ratings.select_related("player").order_by("-mu", "player__sort_key")


def of_club(club: Club) -> QuerySet[Rating]:
    """The ratings over all seasons of the club, the strongest first."""
    found = club.ratings.filter(season=None)
    return found.select_related("player").order_by("-mu", "player__sort_key")


def curve_of(player: int, season: Season) -> list[RatingPoint]:
    """What was believed of the player after each night of the season, oldest first."""
    points = RatingPoint.objects.filter(player=player, season=season)
    return list(points.select_related("event").order_by("event__date", "event_id"))


def state_of(club: Club, season: Season | None) -> RatingState | None:
    """How far the ratings are."""
    return RatingState.objects.filter(club=club, season=season).first()


def nights_of(club: Club, season: Season | None) -> tuple[list[Night], str]:
    """The nights to rate in their order, and the stamp that ratings of just these have."""
    of = {"season__club": club} if season is None else {"season": season}
    found = Event.objects.filter(kind=Event.Kind.NIGHT, **of).order_by("date", "pk")
    nights: list[Night] = [
        [pk, version, day.isoformat()]
        for pk, version, day in found.values_list("pk", "version", "date")
    ]
    versions: int = sum(version for _event, version, _date in nights)
    return nights, _stamp(len(nights), versions, names_of(club))


def names_of(club: Club) -> int:
    """The last log line that says who is who."""
    merges = Audit.objects.filter(club=club, action__in=_MERGES)
    return merges.aggregate(last=Max("pk"))["last"] or 0


def behind() -> list[Scope]:
    """Seasons and clubs of which a night or a name changed since they were rated."""
    nights = Event.objects.filter(kind=Event.Kind.NIGHT).order_by()
    merges = Audit.objects.filter(action__in=_MERGES).order_by()
    names: dict[int, int] = dict(merges.values_list("club_id").annotate(Max("pk")))
    of_seasons = nights.values_list("season__club_id", "season_id")
    of_clubs = nights.values_list("season__club_id")
    wanted: dict[tuple[int, int | None], str] = {}
    for club, season, count, versions in of_seasons.annotate(Count("pk"), Sum("version")):
        wanted[club, season] = _stamp(count, versions, names.get(club, 0))
    for club, count, versions in of_clubs.annotate(Count("pk"), Sum("version")):
        wanted[club, None] = _stamp(count, versions, names.get(club, 0))
    states = RatingState.objects.values_list("club_id", "season_id", "stamp")
    kept: dict[tuple[int, int | None], str] = {(c, s): stamp for c, s, stamp in states}
    late = [key for key, stamp in wanted.items() if kept.get(key) != stamp]
    clubs = Club.objects.in_bulk({club for club, _season in late})
    seasons = Season.objects.in_bulk({season for _club, season in late if season})
    return [Scope(clubs[club], seasons[season] if season else None) for club, season in late]


def _stamp(count: int, versions: int, names: int) -> str:
    return f"{count}:{versions}:{names}"
