"""The archive of a club: its closed seasons with their podiums, and the medals."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, Min, Q, QuerySet

from league.base.domain.grouped import grouped
from league.base.lookup import seasons_to_see
from league.models import Club, Event, Season, SeasonRow
from league.seasons.facts import season_cache
from league.seasons.facts.standings import PLAYED, Standing

FIRST_PLACES = 3


@dataclass(frozen=True)
class PastSeason:
    """A closed season with its days, its podium and its numbers of nights and players.

    `begins` and `ends` include nights before its first day, as imports bring them.
    `at` is when the final standings were computed; None until they are.
    """

    season: Season
    begins: date
    ends: date | None
    podium: list[Standing]
    nights: int
    people: int
    at: datetime | None


@dataclass(frozen=True)
class Medals:
    """How often a player finished a season first, second and third."""

    player: int
    name: str
    first: int
    second: int
    third: int


def closed_seasons(club: Club) -> QuerySet[Season]:
    """Return the closed seasons that the visitor may see, latest first."""
    return seasons_to_see(club).filter(status=Season.Status.CLOSED)


def past_seasons(seasons: Iterable[Season]) -> list[PastSeason]:
    """Return these seasons with their podiums."""
    found = list(seasons)
    tables = {table.season_id: table for table in season_cache.tables().filter(season__in=found)}
    counted = Event.objects.filter(
        PLAYED, Q(kind=Event.Kind.NIGHT) | Q(season__ranks_bots=True), season__in=found
    ).exclude(scoring__contains={"gives": "nothing"})
    days = counted.order_by().values_list("season").annotate(Count("pk"), Min("date"), Max("date"))
    held = {pk: rest for pk, *rest in days}
    rows = _on_podiums(season_cache.rows().filter(season__in=found)).select_related("player")
    podiums = grouped((row.season_id, season_cache.standing_of(row)) for row in rows)
    return [
        PastSeason(
            season,
            min(season.starts_on, first or season.starts_on),
            season.ends_on or last,
            podiums[season.pk],
            nights,
            tables[season.pk].count if season.pk in tables else 0,
            tables[season.pk].computed_at if season.pk in tables else None,
        )
        for season in found
        for nights, first, last in [held.get(season.pk, (0, None, None))]
    ]


def medals(club: Club) -> list[Medals]:
    """Return the medals of all players, most first places first."""
    rows = _on_podiums(season_cache.rows().filter(season__in=closed_seasons(club)))
    counted = (
        rows.order_by()
        .values_list("player_id", "player__name", "player__sort_key")
        .annotate(
            first=Count("pk", filter=Q(rank=1)),
            second=Count("pk", filter=Q(rank=2)),
            third=Count("pk", filter=Q(rank=3)),
        )
    )
    ordered = sorted(counted, key=lambda line: (-line[3], -line[4], -line[5], line[2]))
    return [Medals(key, name, *counts) for key, name, _sort_key, *counts in ordered]


def _on_podiums(rows: QuerySet[SeasonRow]) -> QuerySet[SeasonRow]:
    return rows.filter(rank__lte=FIRST_PLACES, games__gte=1).order_by("season", "position")
