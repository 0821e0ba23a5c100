"""The views of the door Tonight and of a club's home, season and management."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from league.base.lookup import season_of_people
from league.base.rights import Right
from league.base.views import phones
from league.base.views.base import ClubRequest, club_view, page
from league.clubs.facts.people import name_of
from league.nights.facts import claims
from league.nights.pages.other_nights import OWED, other_nights
from league.recap.pages import manage as manage_page
from league.recap.pages import tonight
from tables.people.pages import lobby
from tables.web.access import device_of


@require_safe
def door(request: HttpRequest) -> HttpResponse:
    """Show tonight to a person with an account or a held club, and what this is to all others.

    A phone with a name in the night is led to it.
    """
    if not isinstance(request.user, User) and (holder := phones.holder_of(request)) is not None:
        request.user = holder
    game = {"game": lobby.running(request.user, device_of(request))}
    if not isinstance(request.user, User):
        night = claims.night_of(phone := phones.phone_of(request), phones.last_night(request))
        if night is not None and game["game"] is None:
            return redirect("league:my_night", night)
        context = game | {
            "other_nights": other_nights(claims.of_nights(phone, OWED)),
            "public": tonight.public_night(),
        }
        return render(request, "league/recap/home_out.html", context)
    found = vars(tonight.tonight_page(request.user))
    return render(request, "league/recap/tonight.html", game | found)


@club_view(Right.SEE)
def club(request: ClubRequest) -> HttpResponse:
    """Show what runs, the next nights, the last podium, the season's leaders and chops."""
    user = request.user if isinstance(request.user, User) else None
    home = tonight.club_home(request.club, user, may_organise=request.right >= Right.ORGANISE)
    ends_by = name_of(request.club.pk, request.club.ends_by) if request.club.ends_at else ""
    return page(request, "league/recap/club.html", vars(home) | {"ends_by": ends_by})


@club_view(Right.SEE)
def club_season(request: ClubRequest) -> HttpResponse:
    """Redirect to the season that goes on, else to the list of seasons."""
    season = season_of_people(request.club)
    if season is None:
        return redirect("league:past_seasons", request.club.slug)
    return redirect("league:season", request.club.slug, season.pk)


@club_view(Right.SEE)
def manage(request: ClubRequest) -> HttpResponse:
    """Show everything of the club that is done once a season or once a year."""
    groups = manage_page.groups(request.club, season_of_people(request.club), request.right)
    return page(request, "league/recap/manage.html", {"groups": groups})
