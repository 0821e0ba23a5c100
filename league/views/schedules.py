"""Bot tournaments that begin by themselves: the list, changing one, holding or ending it."""

from __future__ import annotations

from datetime import date, time

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.forms import BotsForm
from league.models import Schedule
from league.rights import Right
from league.selectors import club_rules, schedules_page
from league.services import schedules
from league.views.base import (
    ClubRequest,
    add_errors,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.views.bots import at_first_bot
from league.views.seasons import season_or_404


@club_view(Right.ORGANISE)
def schedule_list(request: ClubRequest, pk: int) -> HttpResponse:
    """The season's schedules with their next time and what they began last."""
    season = season_or_404(request, pk)
    context = {"season": season, "schedules": schedules_page.schedules_of(season)}
    return page(request, "league/schedules.html", context)


@club_view(Right.ORGANISE)
def schedule_edit(request: ClubRequest, pk: int, schedule: int) -> HttpResponse:
    """Changes what comes; tournaments that have begun stay as they are."""
    season = season_or_404(request, pk)
    found = _schedule_or_404(request, pk, schedule)
    form = BotsForm(request.POST or None, initial=_initial(found), club=request.club, now=False)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        what = {key: data[key] for key in ("name", "ruleset", "plan", "rule")}
        try:
            schedules.change_schedule(schedule=found, by=request.user, **what)
        except ValidationError as error:
            add_errors(form, at_first_bot(error))
        else:
            messages.success(request, _("Saved. It holds from the next time on."))
            return redirect("league:schedules", slug=request.club.slug, pk=pk)
    context = {"season": season, "schedule": found, "form": form}
    return page(request, "league/schedule_edit.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def schedule_change(request: ClubRequest, pk: int, schedule: int) -> HttpResponse:
    """Holds a schedule, lets it go on, or ends it."""
    found = _schedule_or_404(request, pk, schedule)
    change = request.POST.get("change")
    if change in ("pause", "resume"):
        schedules.pause_schedule(schedule=found, by=request.user, paused=change == "pause")
    elif change == "delete":
        schedules.delete_schedule(schedule=found, by=request.user)
        messages.success(request, _("Ended. Its tournaments stay."))
    else:
        tell(request, incomplete_form())
    return redirect("league:schedules", slug=request.club.slug, pk=pk)


def _schedule_or_404(request: ClubRequest, pk: int, schedule: int) -> Schedule:
    found = Schedule.objects.filter(pk=schedule, season=pk, season__club=request.club).first()
    if found is None:
        raise Http404
    return found


def _initial(schedule: Schedule) -> dict[str, object]:
    plan, rule = schedule.plan, schedule.rule
    chairs = dict.fromkeys(BotsForm.CHAIRS, "") | dict(
        zip(BotsForm.CHAIRS, plan["bots"], strict=False)
    )
    return chairs | {
        "name": schedule.name,
        "ruleset": club_rules.key_or_digest(schedule.ruleset),
        "design": plan["design"],
        "deals": plan["deals"],
        "effect": plan["effect"] or "",
        "priority": plan["priority"],
        "every": rule["every"],
        "day": date.fromisoformat(rule["start"]),
        "at": time.fromisoformat(rule["at"]),
    }
