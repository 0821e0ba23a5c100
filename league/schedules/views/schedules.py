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
from league.nights.domain.night_plans import NightPlan
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
    if (event := model.first()) is not None:
        plan, initial = event.plan, NightsForm.initial_after(event)
    else:
        number = season.events.filter(kind="night").count() + 1
        plan = NightPlan.under(Scoring.from_json(season.scoring))
        initial = {"name": _("Night %(number)s") % {"number": number}}
    form = _nights_form(request, season, plan, initial)
    if request.method == "POST" and form.is_valid():
        schedules.create_schedule(season=season, by=request.user, repeated=form.repeated)
        messages.success(request, _("Saved. The next night will be created automatically."))
        return redirect("league:schedules", slug=request.club.slug, pk=pk)
    context = {"season": season, "form": form}
    return page(request, "league/nights/schedule_create.html", context, form_status(form))


@club_view(Right.ORGANISE)
def schedule_edit(request: ClubRequest, pk: int, schedule: int) -> HttpResponse:
    """Change a schedule; events already created stay as they are."""
    season = find_season(request.club, pk)
    found = _find_schedule(request, pk, schedule)
    form = _form_of(request, found)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            if isinstance(form, LeagueForm):
                leagues.change_league(
                    schedule=found,
                    by=request.user,
                    repeated=form.repeated,
                    size=data["size"],
                    moves=data["moves"],
                )
            else:
                schedules.change_schedule(schedule=found, by=request.user, repeated=form.repeated)
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


def _nights_form(
    request: ClubRequest, season: Season, plan: NightPlan, initial: dict[str, Any]
) -> NightsForm:
    betting = rulesets.thaw(season.ruleset).betting
    return NightsForm(
        request.POST or None, plan=plan, initial=initial, club=request.club, betting=betting
    )


def _form_of(request: ClubRequest, schedule: Schedule) -> NightsForm | BotsForm | LeagueForm:
    """Return the form of what the schedule repeats."""
    if schedule.kind == Event.Kind.NIGHT:
        plan, initial = schedules.night_plan(schedule.plan), NightsForm.initial_of(schedule)
        return _nights_form(request, schedule.season, plan, initial)
    if "bots" in schedule.plan:
        initial = BotsForm.initial_of(schedule)
        return BotsForm(request.POST or None, initial=initial, club=request.club, now=False)
    initial = LeagueForm.initial_of(schedule)
    return LeagueForm(request.POST or None, initial=initial, club=request.club)


@club_view(Right.ORGANISE)
def league_create(request: ClubRequest, pk: int) -> HttpResponse:
    """Create a bot league with its divisions and its schedule."""
    season = find_season(request.club, pk)
    initial = {"name": _("Bot league"), "ruleset": club_rules.key_or_digest(season.ruleset)}
    form = LeagueForm(request.POST or None, initial=initial, club=request.club)
    if request.method == "POST" and form.is_valid():
        made = leagues.create_league(
            season=season,
            by=request.user,
            repeated=form.repeated,
            size=form.cleaned_data["size"],
            moves=form.cleaned_data["moves"],
        )
        return redirect("league:bot_league", slug=request.club.slug, pk=made.pk)
    context = {"season": season, "form": form}
    return page(request, "league/arena/league_create.html", context, form_status(form))
