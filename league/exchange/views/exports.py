"""Every table on screen as CSV."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from league.base.lookup import find_event, find_player, find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view
from league.exchange.selectors import csv_tables, exports
from league.seasons.selectors import player_page
from league.seasons.services import season_cache


@club_view(Right.SEE)
def season_csv(request: ClubRequest, pk: int, what: str) -> HttpResponse:
    """Return a table of the season."""
    season = find_season(request.club, pk)
    if what in csv_tables.OF_STANDINGS:
        rows = season_cache.standings_of(season=season).rows
        return _csv(csv_tables.of_standings(season, what, rows))
    return _csv(csv_tables.of_season(season, what))


@club_view(Right.SEE)
def event_csv(request: ClubRequest, pk: int, what: str) -> HttpResponse:
    """Return a table of the event."""
    return _csv(csv_tables.of_event(find_event(request.club, pk), what))


@club_view(Right.SEE)
def club_csv(request: ClubRequest, what: str) -> HttpResponse:
    """Return a table of the club."""
    return _csv(csv_tables.of_club(request.club, what))


@club_view(Right.SEE)
def player_csv(request: ClubRequest, pk: int, season: int, what: str) -> HttpResponse:
    """Return a table about a player in a season."""
    player = find_player(request.club, pk)
    found = next(
        (s for s in player_page.seasons_of(player_page.keys_of(player)) if s.pk == season), None
    )
    return _csv(None if found is None else csv_tables.of_player(player, found, what))


def _csv(table: csv_tables.CsvTable | None) -> HttpResponse:
    if table is None:
        raise Http404
    response = HttpResponse(
        exports.to_csv(table.header, table.rows), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{table.name}.csv"'
    return response
