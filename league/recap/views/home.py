"""The views of the door Tonight and of a club's home page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from league.base.facts.next_nights import next_nights
from league.base.lookup import seasons_to_see
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page
from league.models import Event
from league.recap.pages import home, tonight
from league.seasons.acts import season_cache

LEADERS = 3


@require_safe
def door(request: HttpRequest) -> HttpResponse:
    """Show tonight to a person with an account, and what this is to everyone else."""
    if not isinstance(request.user, User):
        return render(request, "league/recap/home_out.html", {"public": tonight.public_night()})
    return render(request, "league/recap/tonight.html", vars(tonight.tonight_page(request.user)))


@club_view(Right.SEE)
def club(request: ClubRequest) -> HttpResponse:
    """Show the next nights, the last night's podium, the season's leaders and latest events."""
    shown = request.club
    season = home.season_of_people(shown)
    rows = season_cache.standings_of(season=season).rows if season else None
    context = {
        "seasons": list(seasons_to_see(shown)[:20]),
        "events": Event.objects.filter(season__club=shown).select_related("season")[:12],
        "player_count": shown.players.people().count(),
        "next_nights": next_nights(shown, timezone.localdate()),
        "last_night": home.last_night(shown),
        "season": season,
        "leaders": rows.first_who_played(LEADERS) if rows is not None else [],
    }
    return page(request, "league/recap/club.html", context)
