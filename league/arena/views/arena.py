"""The arena of a club: its bots' competitions, apart from the people's seasons."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse

from league.arena.facts import leagues
from league.arena.pages import arena as selector
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page


@club_view(Right.SEE)
def arena(request: ClubRequest) -> HttpResponse:
    """Show the tournaments, results and ratings of the club's bots."""
    tournaments = Paginator(selector.tournaments_of(request.club), 30)
    context = {
        "page": selector.arena_page(request.club, request.right),
        "page_obj": tournaments.get_page(request.GET.get("page")),
        "leagues": leagues.leagues_of(request.club),
    }
    return page(request, "league/arena/arena.html", context)
