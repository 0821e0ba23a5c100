"""The arena of a club: its bots' competitions, apart from the people's seasons."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from league.arena.facts import leagues
from league.arena.pages import arena as selector
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page
from league.models import Club, Event


@club_view(Right.SEE)
def arena(request: ClubRequest) -> HttpResponse:
    tournaments = Paginator(selector.tournaments_of(request.club), 30)
    context = {
        "page": selector.arena_page(request.club, request.right),
        "page_obj": tournaments.get_page(request.GET.get("page")),
        "leagues": leagues.leagues_of(request.club),
    }
    return page(request, "league/arena/arena.html", context)


@require_safe
def bots_door(request: HttpRequest) -> HttpResponse:
    """Redirect to the arena of the visitor's latest tournament of bots, else of a public one."""
    mine = Club.objects.of(request.user) if request.user.is_authenticated else Club.objects.none()
    for clubs in (mine, Club.objects.public()):
        found = Event.objects.filter(kind=Event.Kind.BOTS, season__club__in=clubs)
        slug = found.values_list("season__club__slug", flat=True).first()
        if slug is not None:
            return redirect("league:arena", slug)
    return render(request, "league/arena/no_bots.html")
