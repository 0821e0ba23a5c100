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
    shown = Paginator(selector.tournaments_of(request.club), 30).get_page(request.GET.get("page"))
    pools, unrated = selector.ladder(request.club)
    context = {
        "page_obj": shown,
        "standings": selector.bot_games(request.club),
        "pools": pools,
        "unrated": unrated,
        "leagues": leagues.leagues_of(request.club),
        "seasons": selector.open_seasons(request.club),
    }
    return page(request, "league/arena/arena.html", context)
