"""Views of a club's stakes tables: the list, opening one, and its balances."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.base.lookup import first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    incomplete_form,
    must_see_money,
    page,
    telling,
)
from league.clubs.facts import club_rules
from league.models import ClubTable, Player, Season
from league.money.facts import money
from league.money.views.money import money_parts
from league.online.acts import stake_tables
from league.online.facts import stake_tables as selector
from league.online.forms import SprintForm, StakeForm
from tables.base import rulesets
from tables.people.facts import pairs
from tables.people.pages import sprints
from tables.refusals import REASONS
from tables.web import limits


@login_required
def stakes(request: HttpRequest) -> HttpResponse:
    """Show the clubs in which the user may open a stakes table; redirect if there is only one."""
    clubs = list(selector.clubs_of(request.user))
    if len(clubs) == 1:
        return redirect("league:club_tables", clubs[0].slug)
    return render(request, "league/online/stakes.html", {"clubs": clubs})


@club_view(Right.SEE, keep_first=True)
def tables(request: ClubRequest) -> HttpResponse:
    """List a club's open and ended stakes tables; a player opens one on POST."""
    player = selector.player_of(request.club, request.user)
    seasons = selector.open_seasons(request.club)
    form: StakeForm | None = None
    if player and seasons:
        initial = {"stake": selector.last_stake(request.club, seasons[0].fixed_unit) or 1}
        data = request.POST if request.method == "POST" else None
        form = StakeForm(data, club=request.club, seasons=seasons, initial=initial)
    if request.method == "POST":
        if form is None:
            return _refuse(request, player)
        if form.is_valid():
            with telling(request, form=form):
                return redirect("tables:table", _open(request, form, seasons).table.key)
    organises = request.right >= Right.ORGANISE
    context = {
        "player": player,
        "seasons": seasons,
        "form": form,
        "open": selector.open_tables(request.club),
        "ended": selector.ended_tables(request.club),
        "sprints": sprints.coming(home=request.path),
        "sprint_form": SprintForm() if organises else None,
        "pairs": selector.pairs_of(request.club) if organises else [],
        "shared": selector.shared_places_of(request.club) if organises else [],
        "fewest": pairs.FEWEST,
    }
    status = form_status(form) if form else 200
    return page(request, "league/online/club_tables.html", context, status)


@club_view(Right.SEE, to_post=Right.ORGANISE, keep_first=True)
def table(request: ClubRequest, key: str) -> HttpResponse:
    """Show a stakes table's balances, payments and games; an organiser ends it on POST."""
    found = ClubTable.objects.filter(season__club=request.club, table__key=key)
    live = first_or_404(
        found.select_related("season__club", "table__arrangement", "table__ruleset")
    )
    if request.method == "POST":
        do = request.POST.get("do", "")
        with telling(request):
            if do not in ("end", "end_now"):
                raise incomplete_form()
            stake_tables.end_table(live=live, by=request.user, now=do == "end_now")
        return redirect("league:club_table", request.club.slug, live.table.key)
    must_see_money(request)
    organises, transfers = request.right >= Right.ORGANISE, selector.transfers_of(live)
    may_undo = organises and live.season.status == Season.Status.OPEN
    games = Paginator(selector.games_of(live), 50).get_page(request.GET.get("posting"))
    sums = money_parts(request, transfers, transfers)
    context = {
        "live": live,
        "season": live.season,
        "rules": rulesets.thaw(live.table.ruleset),
        "games": games,
        "whole": money.proof_of_all(transfers),
        "client_id": uuid.uuid4() if may_undo else None,
        "may_end": organises and not live.ended_at,
        "sums": sums,
        "payments": sums.payments,
    }
    return page(request, "league/online/club_table.html", context)


def _open(request: ClubRequest, form: StakeForm, seasons: list[Season]) -> ClubTable:
    data = form.cleaned_data
    limits.check(request, "open")
    chosen = {season.pk: season for season in seasons}
    return stake_tables.open_table(
        season=chosen[data.get("season", seasons[0].pk)],
        by=request.user,
        ruleset=club_rules.chosen(request.club, data["ruleset"]),
        players=data["players"],
        stake=data["stake"],
        move_seconds=data["clock"],
    )


def _refuse(request: ClubRequest, player: Player | None) -> HttpResponse:
    """Redirect with a message on why the user cannot open a table."""
    if player is None:
        code = "members_only" if request.user.is_authenticated else "sign_in"
        messages.error(request, REASONS[code])
    else:
        messages.error(request, _("Open a season first: stakes go into its ledger."))
    return redirect("league:club_tables", request.club.slug)
