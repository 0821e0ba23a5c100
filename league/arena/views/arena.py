"""The door Bots of a club: its bots' competitions, apart from the people's seasons."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.arena.acts import standing_ladder
from league.arena.facts import leagues
from league.arena.facts.own_bots import pool_of
from league.arena.forms import BotForm, LadderForm, RemoteBotForm
from league.arena.pages import door as selector
from league.base.acts import locks
from league.base.lookup import first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    atomic_post,
    club_view,
    form_status,
    page,
    telling,
)
from league.models import Club, Event
from tables.base.lookup import or_404
from tables.numbers import whole_number
from tables.runs import ladders


@club_view(Right.SEE, keep_first=True)
def arena(request: ClubRequest) -> HttpResponse:
    return show_door(request)


def show_door(request: ClubRequest, **sent: Any) -> HttpResponse:
    """Return the page; `sent` has the form that was sent and is not valid, by its name."""
    forms: dict[str, Any] = {}
    if request.right >= Right.BELONG:
        forms = {"far_form": RemoteBotForm(prefix="far")}
        forms |= {"bot_form": BotForm()} if settings.BOT_UPLOADS else {}
    if request.right >= Right.OWN:
        on = ladders.ladder_of(pool_of(request.club))
        forms["ladder_form"] = LadderForm(club=request.club, ladder=on)
    rules = request.GET.get("rules", "")[:64]
    context = {
        "page": selector.door(request.club, request.user, request.right, rules),
        "page_obj": Paginator(selector.tournaments_of(request.club), 30).get_page(
            request.GET.get("page")
        ),
        "leagues": leagues.leagues_of(request.club),
        **forms,
        **sent,
    }
    status = max([200, *map(form_status, sent.values())])
    return page(request, "league/arena/door.html", context, status)


@require_safe
def bots_door(request: HttpRequest) -> HttpResponse:
    """Redirect to the door of the club with the visitor's latest tournament, else a public one."""
    mine = Club.objects.of(request.user) if request.user.is_authenticated else Club.objects.none()
    for clubs in (mine, Club.objects.public()):
        found = Event.objects.filter(kind=Event.Kind.BOTS, season__club__in=clubs)
        slug = found.values_list("season__club__slug", flat=True).first()
        slug = slug or mine.values_list("slug", flat=True).first()
        if slug is not None:
            return redirect("league:arena", slug)
    return render(request, "league/arena/no_bots.html")


@club_view(Right.SEE, keep_first=True)
def league(request: ClubRequest, pk: int) -> HttpResponse:
    """Show the divisions of the matchday that `day` numbers, by default the last."""
    found = first_or_404(leagues.leagues_of(request.club).filter(pk=pk))
    divisions = or_404(leagues.league_page(found, whole_number(request.GET.get("day"))))
    schedule = found.schedule if request.right >= Right.ORGANISE else None
    context = {"page": divisions, "schedule_to_change": schedule}
    return page(request, "league/arena/league.html", context)


@club_view(Right.SEE, to_post=Right.OWN, keep_first=True)
@atomic_post
def ladder(request: ClubRequest) -> HttpResponse:
    """Start or stop the ladder."""
    if request.method == "POST":
        locks.club(request.club.pk)
        on = ladders.ladder_of(pool_of(request.club))
        form = LadderForm(request.POST, club=request.club, ladder=on)
        if form.is_valid():
            data = form.cleaned_data
            with telling(request, _("Saved."), form):
                standing_ladder.change_ladder(club=request.club, by=request.user, **data)
        if form.errors:
            return show_door(request, ladder_form=form)
    return redirect("league:arena", slug=request.club.slug)
