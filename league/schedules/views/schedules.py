"""Schedules: listing, creating, changing, pausing and ending them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    add_errors,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.clubs.facts import club_rules
from league.models import Event, Schedule, Season
from league.schedules.acts import leagues, schedules
from league.schedules.forms import BotsForm, LeagueForm, NightsForm
from league.schedules.pages import schedules_page
from league.schedules.views.bots import at_first_bot
from league.seasons.domain.scoring import Scoring
from tables.base import rulesets
from tables.numbers import whole_number


@club_view(Right.ORGANISE)
def schedule_list(request: ClubRequest, pk: int) -> HttpResponse:
    """Return the season's schedules with their next time and their last events."""
    season = find_season(request.club, pk)
    context = {"season": season, "schedules": schedules_page.schedules_of(season)}
    return page(request, "league/nights/schedules.html", context)


@club_view(Right.ORGANISE)
def schedule_create(request: ClubRequest, pk: int) -> HttpResponse:
    """Create a schedule of nights, by default like the night that `event` names."""
    season = find_season(request.club, pk)
    model = season.events.filter(pk=whole_number(request.GET.get("event")) or 0, kind="night")
    rules = Scoring.from_json(season.scoring)
    initial: dict[str, Any] = {
        "name": _("Night %(number)s") % {"number": season.events.filter(kind="night").count() + 1},
        "counting": rules.counting,
        "games_per_round": rules.games_per_round,
    }
    if (event := model.first()) is not None:
        initial = NightsForm.initial_after(event)
    form = _nights_form(request, season, initial)
    if request.method == "POST" and form.is_valid():
        schedules.repeat_night(season=season, by=request.user, **_what(form))
        messages.success(request, _("Saved. The next night will be created automatically."))
        return redirect("league:schedules", slug=request.club.slug, pk=pk)
    context = {"season": season, "form": form}
    return page(request, "league/nights/schedule_create.html", context, form_status(form))


@club_view(Right.ORGANISE)
def schedule_edit(request: ClubRequest, pk: int, schedule: int) -> HttpResponse:
    """Change a schedule; events already created stay as they are."""
    season = find_season(request.club, pk)
    found = _find_schedule(request, pk, schedule)
    form: NightsForm | BotsForm | LeagueForm
    change: Any = schedules.change_schedule
    if found.kind == Event.Kind.NIGHT:
        form = _nights_form(request, season, NightsForm.initial_of(found))
    elif "bots" in found.plan:
        initial = BotsForm.initial_of(found)
        form = BotsForm(request.POST or None, initial=initial, club=request.club, now=False)
    else:
        form = LeagueForm(
            request.POST or None, initial=LeagueForm.initial_of(found), club=request.club
        )
        change = leagues.change_league
    if request.method == "POST" and form.is_valid():
        try:
            change(schedule=found, by=request.user, **_what(form))
        except ValidationError as error:
            add_errors(form, at_first_bot(error))
        else:
            messages.success(request, _("Saved. It applies from the next time."))
            return redirect("league:schedules", slug=request.club.slug, pk=pk)
    context = {"season": season, "schedule": found, "form": form}
    return page(request, "league/nights/schedule_edit.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def schedule_change(request: ClubRequest, pk: int, schedule: int) -> HttpResponse:
    """Pause, resume or end a schedule."""
    found = _find_schedule(request, pk, schedule)
    change = request.POST.get("change")
    if change in ("pause", "resume"):
        schedules.pause_schedule(schedule=found, by=request.user, paused=change == "pause")
    elif change == "delete":
        schedules.delete_schedule(schedule=found, by=request.user)
        messages.success(request, _("Schedule ended. Nights already created stay."))
    else:
        tell(request, incomplete_form())
    return redirect("league:schedules", slug=request.club.slug, pk=pk)


def _find_schedule(request: ClubRequest, pk: int, schedule: int) -> Schedule:
    found = Schedule.objects.filter(pk=schedule, season=pk, season__club=request.club)
    return first_or_404(found)


def _nights_form(request: ClubRequest, season: Season, initial: dict[str, Any]) -> NightsForm:
    betting = rulesets.thaw(season.ruleset).betting
    return NightsForm(request.POST or None, initial=initial, club=request.club, betting=betting)


@club_view(Right.ORGANISE)
def league_create(request: ClubRequest, pk: int) -> HttpResponse:
    """Create a bot league with its divisions and its schedule."""
    season = find_season(request.club, pk)
    initial = {"name": _("Bot league"), "ruleset": club_rules.key_or_digest(season.ruleset)}
    form = LeagueForm(request.POST or None, initial=initial, club=request.club)
    if request.method == "POST" and form.is_valid():
        made = leagues.create_league(season=season, by=request.user, **_what(form))
        return redirect("league:bot_league", slug=request.club.slug, pk=made.pk)
    context = {"season": season, "form": form}
    return page(request, "league/arena/league_create.html", context, form_status(form))


def _what(form: NightsForm | BotsForm | LeagueForm) -> dict[str, Any]:
    """Return the form's values as the services take them."""
    own = (*NightsForm.LIST, *LeagueForm.OWN)
    names = ("name", "ruleset", "plan", "rule", "days_ahead", *own)
    return {name: form.cleaned_data[name] for name in names if name in form.cleaned_data}
