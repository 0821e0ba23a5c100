"""Views of the teams and categories of a season, or of one of its nights."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.acts import locks
from league.base.lookup import find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    add_errors,
    atomic_post,
    club_view,
    form_status,
    page,
    telling,
)
from league.clubs.acts import players
from league.models import Event, Season
from league.seasons.acts import rosters, season_cache
from league.seasons.facts import rosters as selector
from league.seasons.forms.rosters import RosterForm, TeamRuleForm
from tables.numbers import whole_number


@club_view(Right.SEE, to_post=Right.ORGANISE, of=find_season)
def roster_list(request: ClubRequest, season: Season) -> HttpResponse:
    """Show the standings of teams and categories; organisers can add one."""
    form = RosterForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            names = [line for line in data["members"].splitlines() if line.strip()]
            rosters.save_roster(
                season=season,
                kind=data["kind"],
                name=data["name"],
                members=[players.named(club=request.club, name=name) for name in names],
                by=request.user,
                replaces=data["replaces"],
            )
        except ValidationError as error:
            if hasattr(error, "error_dict") and "player" in error.error_dict:
                error.error_dict["members"] = error.error_dict.pop("player")
            add_errors(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("league:rosters", request.club.slug, season.pk)
    return _show(request, season, form, TeamRuleForm.of(season))


def _show(
    request: ClubRequest, season: Season, form: RosterForm, rule: TeamRuleForm
) -> HttpResponse:
    key = whole_number(request.GET.get("event"))
    night = first_or_404(season.events.filter(pk=key)) if key is not None else None
    if night is None:
        season_cache.standings_of(season=season)
    tables = selector.tables_of(season, night)
    may_change = request.right >= Right.ORGANISE and season.status == Season.Status.OPEN
    context = {
        "season": season,
        "night": night,
        "nights": list(season.events.filter(kind=Event.Kind.NIGHT)[:60]),
        "rosters": tables.rosters,
        "teams": tables.teams,
        "categories": tables.categories,
        "twice": tables.twice,
        "prizes": {
            table.roster.pk: _prizes(season, night, table) if may_change else {}
            for table in tables.categories
        },
        "form": form if may_change else None,
        "rule": rule,
    }
    status = max(form_status(form), form_status(rule))
    return page(request, "league/seasons/rosters.html", context, status)


def _prizes(season: Season, night: Event | None, table: selector.CategoryTable) -> dict[int, str]:
    """Return the addresses of the forms that post a category's prizes, by player."""
    address = reverse("league:posting_create", args=[season.club.slug, season.pk, "prize"])
    names = {"category": table.roster.name}
    return {
        one.player.pk: f"{address}?"
        + urlencode(
            {
                "event": night.pk if night else "",
                "player": one.player.name,
                "note": _("%(category)s, place %(place)s") % (names | {"place": one.row.rank}),
            }
        )
        for one in table.rows
        if one.row.rank is not None and not one.player.bot
    }


@require_POST
@club_view(Right.ORGANISE)
@atomic_post
def team_rule(request: ClubRequest, pk: int) -> HttpResponse:
    """Set how teams count."""
    season = locks.season(find_season(request.club, pk).pk)
    form = TeamRuleForm.of(season, request.POST)
    if form.is_valid():
        with telling(request, _("Saved.")):
            rosters.set_team_rule(
                season=season,
                best=form.cleaned_data["best"],
                average=bool(form.cleaned_data["average"]),
                by=request.user,
            )
        return redirect("league:rosters", request.club.slug, pk)
    return _show(request, season, RosterForm(), form)


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def roster_remove(request: ClubRequest, season: Season, roster: int) -> HttpResponse:
    """Delete a team or a category."""
    found = first_or_404(season.rosters.filter(pk=roster))
    with telling(request, _("%(name)s removed.") % {"name": found.name}):
        rosters.remove_roster(roster=found, by=request.user)
    return redirect("league:rosters", request.club.slug, season.pk)
