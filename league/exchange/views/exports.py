"""Every table on screen as CSV or as a workbook."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from league.base.lookup import find_event, find_player, find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view
from league.exchange.selectors import csv_tables, exports, workbooks
from league.seasons.selectors import player_page
from league.seasons.services import season_cache

WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@club_view(Right.SEE)
def season_csv(request: ClubRequest, pk: int, what: str) -> HttpResponse:
    """Return a table of the season."""
    season = find_season(request.club, pk)
    if what in csv_tables.OF_STANDINGS:
        rows = season_cache.standings_of(season=season).rows
        return _file(request, csv_tables.of_standings(season, what, rows))
    return _file(request, csv_tables.of_season(season, what))


@club_view(Right.SEE)
def event_csv(request: ClubRequest, pk: int, what: str) -> HttpResponse:
    """Return a table of the event."""
    return _file(request, csv_tables.of_event(find_event(request.club, pk), what))


@club_view(Right.SEE)
def club_csv(request: ClubRequest, what: str) -> HttpResponse:
    """Return a table of the club."""
    return _file(request, csv_tables.of_club(request.club, what))


@club_view(Right.SEE)
def player_csv(request: ClubRequest, pk: int, season: int, what: str) -> HttpResponse:
    """Return a table about a player in a season."""
    player = find_player(request.club, pk)
    found = next(
        (s for s in player_page.seasons_of(player_page.keys_of(player)) if s.pk == season), None
    )
    return _file(request, None if found is None else csv_tables.of_player(player, found, what))


def _file(request: ClubRequest, table: csv_tables.CsvTable | None) -> HttpResponse:
    """Return the table as CSV, or as a workbook to who asks for one."""
    if table is None:
        raise Http404
    if request.GET.get("as") == "xlsx":
        body: str | bytes = workbooks.to_workbook(table.header, table.rows)
        kind, ending = WORKBOOK, "xlsx"
    else:
        body = exports.to_csv(table.header, table.rows)
        kind, ending = "text/csv; charset=utf-8", "csv"
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{table.name}.{ending}"'
    return response
