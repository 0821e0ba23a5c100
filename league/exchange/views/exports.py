"""Downloads of the pages' tables as workbooks or CSV."""

from collections.abc import Callable

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import translation

from league.base.downloads import attached
from league.base.lookup import find_event, find_person, find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, must_see_money, sees_money
from league.exchange.facts import exports, workbooks
from league.exchange.pages import csv_tables
from league.exchange.pages.csv_tables import CsvTable
from league.models import Event, Player, Season
from league.seasons.acts import season_cache
from league.seasons.pages import player_page
from tables.base.lookup import or_404

WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@club_view(Right.SEE, of=find_season)
def season_csv(request: ClubRequest, season: Season, what: str) -> HttpResponse:
    if what in csv_tables.OF_MONEY:
        must_see_money(request)
    if what in csv_tables.OF_STANDINGS:
        found = season_cache.standings_of(season=season)
        if found.at is None:  # Its page says that it is being calculated.
            return redirect("league:season", slug=request.club.slug, pk=season.pk)
        return _file(request, lambda: csv_tables.of_standings(season, what, found.rows))
    if what == "teams":
        season_cache.standings_of(season=season)
    return _file(request, lambda: csv_tables.of_season(season, what))


@club_view(Right.SEE, of=find_event)
def event_csv(request: ClubRequest, event: Event, what: str) -> HttpResponse:
    if what in csv_tables.OF_MONEY:
        must_see_money(request, event)
    return _file(request, lambda: csv_tables.of_event(event, what))


@club_view(Right.SEE)
def club_csv(request: ClubRequest, what: str) -> HttpResponse:
    return _file(request, lambda: csv_tables.of_club(request.club, what))


@club_view(Right.SEE, of=find_person)
def player_csv(request: ClubRequest, player: Player, season: int, what: str) -> HttpResponse:
    found = find_season(request.club, season)
    if found not in player_page.seasons_of(player_page.keys_of(player)):
        raise Http404
    with_money = sees_money(request)
    return _file(request, lambda: csv_tables.of_player(player, found, what, with_money=with_money))


def _file(request: ClubRequest, made: Callable[[], CsvTable | None]) -> HttpResponse:
    """Return the table as CSV, as a workbook for `?as=xlsx`, or for programs with `?as=plain`.

    In the first two, words are in the club's language and times on its clock; numbers of CSV are
    written as the reader's spreadsheet reads them.
    """
    form = request.GET.get("as")
    if form == "plain":
        name, header, rows = or_404(made())
        return _answer(exports.to_csv(header, rows), "text/csv; charset=utf-8", f"{name}.csv")
    language = request.club.language or translation.get_language()
    with translation.override(language):
        name, header, rows = or_404(made())
        head, lines = exports.with_offsets(header, rows)
    if form == "xlsx":
        return _answer(workbooks.to_workbook(head, lines, name), WORKBOOK, f"{name}.xlsx")
    return _answer(exports.to_sheet(head, lines), "text/csv; charset=utf-8", f"{name}.csv")


def _answer(body: str | bytes, kind: str, name: str) -> HttpResponse:
    return HttpResponse(body, content_type=kind, headers=attached(name))
