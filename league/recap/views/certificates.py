"""Views of certificates and name badges to print."""

from django.http import HttpResponse

from league.base.lookup import find_event, find_night, find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page
from league.models import Event, Season
from league.nights.facts.events import people_of
from league.recap.pages import certificates
from league.seasons.acts import season_cache


@club_view(Right.SEE, of=find_night)
def of_night(request: ClubRequest, event: Event) -> HttpResponse:
    """Show a certificate for each of a night's first three places, one per page."""
    context = {"event": event, "certificates": certificates.of_night(event)}
    return page(request, "league/recap/certificates.html", context)


@club_view(Right.SEE, of=find_season)
def of_season(request: ClubRequest, season: Season) -> HttpResponse:
    """Show a certificate for each of a season's first three places, one per page."""
    first = season_cache.standings_of(season=season).rows.first_who_played(certificates.MOST)
    context = {"season": season, "certificates": certificates.of_season(season, first)}
    return page(request, "league/recap/certificates.html", context)


@club_view(Right.ORGANISE, of=find_event)
def badges(request: ClubRequest, event: Event) -> HttpResponse:
    """Show a name badge for each player of the night."""
    names = [player.name for player in people_of(event)]
    return page(request, "league/recap/badges.html", {"event": event, "names": names})
