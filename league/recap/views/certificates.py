"""Views of certificates and name badges to print."""

from django.http import Http404, HttpResponse

from league.base.lookup import find_event, find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page
from league.models import Event
from league.nights.facts.events import people_of
from league.recap.pages import certificates
from league.seasons.acts import season_cache


@club_view(Right.SEE)
def of_night(request: ClubRequest, pk: int) -> HttpResponse:
    """Show a certificate for each of a night's first three places, one per page."""
    event = find_event(request.club, pk)
    if event.kind != Event.Kind.NIGHT:
        raise Http404
    context = {"event": event, "certificates": certificates.of_night(event)}
    return page(request, "league/recap/certificates.html", context)


@club_view(Right.SEE)
def of_season(request: ClubRequest, pk: int) -> HttpResponse:
    """Show a certificate for each of a season's first three places, one per page."""
    season = find_season(request.club, pk)
    first = season_cache.standings_of(season=season).rows.first_who_played(certificates.MOST)
    context = {"season": season, "certificates": certificates.of_season(season, first)}
    return page(request, "league/recap/certificates.html", context)


@club_view(Right.ORGANISE)
def badges(request: ClubRequest, pk: int) -> HttpResponse:
    """Show a name badge for each player of the night."""
    event = find_event(request.club, pk)
    names = [player.name for player in people_of(event)]
    return page(request, "league/recap/badges.html", {"event": event, "names": names})
