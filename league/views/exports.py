"""Every table on screen as CSV."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from league.rights import Right
from league.selectors import people, tables
from league.services import exports
from league.views.base import ClubRequest, club_view, event_or_404
from league.views.players import player_or_404
from league.views.seasons import season_or_404


@club_view(Right.SEE)
def season_csv(request: ClubRequest, pk: int, what: str) -> HttpResponse:
    """A table of the season."""
    return _csv(tables.of_season(season_or_404(request, pk), what))


@club_view(Right.SEE)
def event_csv(request: ClubRequest, pk: int, what: str) -> HttpResponse:
    """A table of the event."""
    return _csv(tables.of_event(event_or_404(request, pk), what))


@club_view(Right.SEE)
def club_csv(request: ClubRequest, what: str) -> HttpResponse:
    """A table of the club."""
    return _csv(tables.of_club(request.club, what))


@club_view(Right.SEE)
def player_csv(request: ClubRequest, pk: int, season: int, what: str) -> HttpResponse:
    """A table about a player in a season."""
    player = player_or_404(request, pk)
    found = next((s for s in people.seasons_of(people.keys_of(player)) if s.pk == season), None)
    return _csv(None if found is None else tables.of_player(player, found, what))


def _csv(table: tables.Table | None) -> HttpResponse:
    if table is None:
        raise Http404
    response = HttpResponse(
        exports.to_csv(table.header, table.rows), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{table.name}.csv"'
    return response
