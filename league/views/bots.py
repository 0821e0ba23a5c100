"""Bot tournaments: starting, progress, and any game as a replay."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.forms import BotsForm
from league.models import Event, Season
from league.rights import Right
from league.selectors import club_rules
from league.selectors import runs as selector
from league.services import bots, schedules
from league.views import downloads
from league.views.base import (
    ClubRequest,
    add_errors,
    club_view,
    event_or_404,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.views.seasons import season_or_404
from tables.numbers import whole_number
from tables.selectors import replays
from tables.services import runs
from tables.services.run_records import OtherVersion, changed_bots

CHANGED = {
    "pause": gettext_lazy("Paused. Blocks that are being played are finished."),
    "resume": gettext_lazy("It goes on."),
    "cancel": gettext_lazy("Cancelled. What was played counts."),
    "extend": gettext_lazy("Extended."),
    "retry": gettext_lazy("The failed blocks are tried again."),
}


@club_view(Right.ORGANISE)
def bots_create(request: ClubRequest, pk: int) -> HttpResponse:
    """Rules, bots and the number of deals; starting is one tap more."""
    season = season_or_404(request, pk)
    initial = {
        "name": _("Bots %(date)s")
        % {"date": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")},
        "ruleset": club_rules.key_or_digest(season.ruleset),
    }
    form = BotsForm(request.POST or None, initial=initial, club=request.club)
    if request.method == "POST" and form.is_valid():
        try:
            return _begin(request, season, form.cleaned_data)
        except ValidationError as error:
            add_errors(form, at_first_bot(error))
    context = {"season": season, "form": form}
    return page(request, "league/bots_create.html", context, form_status(form))


def _begin(request: ClubRequest, season: Season, data: dict[str, Any]) -> HttpResponse:
    """The tournament that begins now, or the schedule of those to come."""
    what = {key: data[key] for key in ("name", "ruleset")}
    if data["rule"] is None:
        event = bots.create_bot_event(
            season=season, by=request.user, date=timezone.localdate(), **what, **data["plan"]
        )
        return redirect("league:event", slug=request.club.slug, pk=event.pk)
    schedules.create_schedule(
        season=season, by=request.user, plan=data["plan"], rule=data["rule"], **what
    )
    return redirect("league:schedules", slug=request.club.slug, pk=season.pk)


def at_first_bot(error: ValidationError) -> ValidationError:
    """What is wrong with the bots as a whole, beside the first of them."""
    if not hasattr(error, "error_dict"):
        return error
    return ValidationError(
        {"bot_1" if field == "bots" else field: found for field, found in error.error_dict.items()}
    )


@club_view(Right.SEE)
def run_live(request: ClubRequest, pk: int) -> HttpResponse:
    """Progress, statistics and standings of a bot tournament, for the page to fetch again."""
    event = _bot_event_or_404(request, pk)
    return page(request, "league/run.html", {"event": event} | selector.run_page(event))


@require_POST
@club_view(Right.ORGANISE)
def run_change(request: ClubRequest, pk: int) -> HttpResponse:
    """Pauses, resumes, cancels or extends the tournament, or tries failed blocks again."""
    event = _bot_event_or_404(request, pk)
    change = request.POST.get("change", "")
    deals = whole_number(request.POST.get("deals"), 6) if change == "extend" else 0
    try:
        if change not in CHANGED:
            raise incomplete_form()
        if deals is None or (change == "extend" and not deals):
            raise ValidationError(_("Type how many deals to add."))
        bots.change_run(event=event, by=request.user, change=change, deals=deals)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, CHANGED[change])
    return redirect("league:event", slug=request.club.slug, pk=pk)


@club_view(Right.BELONG)
def run_records(request: ClubRequest, pk: int) -> HttpResponseBase:
    """The records of some deals as JSON lines, each made when it is sent."""
    event = _bot_event_or_404(request, pk)
    deal = whole_number(request.GET.get("deal", "1"), 7)
    if not deal:
        tell(request, ValidationError(_("Type the number of a deal.")))
        return redirect("league:event", slug=request.club.slug, pk=pk)
    assert event.run is not None
    name = f"tien-len-{event.pk}-{deal}.jsonl"
    try:
        return downloads.json_lines(request, event.run, deal, name)
    except OtherVersion:
        return _gone(request, event)


@club_view(Right.SEE)
def replay_pick(request: ClubRequest, pk: int) -> HttpResponse:
    """Opens the game whose deal and rotation were typed, counted from one."""
    event = _bot_event_or_404(request, pk)
    deal = whole_number(request.GET.get("deal"), 7)
    rotation = whole_number(request.GET.get("rotation", "1"), 2)
    if deal is None or rotation is None:
        tell(request, ValidationError(_("Type the number of a deal and of a rotation.")))
        return redirect("league:event", slug=request.club.slug, pk=pk)
    return redirect("league:replay", request.club.slug, event.pk, deal, rotation)


@club_view(Right.SEE)
def replay(request: ClubRequest, pk: int, deal: int, rotation: int) -> HttpResponse:
    """One game, step by step."""
    event = _bot_event_or_404(request, pk)
    try:
        shown = _game_or_404(event, deal, rotation)
    except OtherVersion:
        return _gone(request, event)
    context = {"event": event, "deal": deal, "rotation": rotation} | replays.replay_page(
        shown, whole_number(request.GET.get("step"), 5)
    )
    partial = "#board" if request.htmx else ""
    return page(request, f"league/replay.html{partial}", context)


@club_view(Right.SEE)
def record(request: ClubRequest, pk: int, deal: int, rotation: int) -> HttpResponse:
    """The game as a record to download."""
    event = _bot_event_or_404(request, pk)
    try:
        found = _game_or_404(event, deal, rotation)
    except OtherVersion:
        return _gone(request, event)
    response = JsonResponse(found, json_dumps_params={"indent": 1})
    name = f"tien-len-{event.pk}-{deal}-{rotation}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _gone(request: ClubRequest, event: Event) -> HttpResponse:
    """Why games cannot be shown: they would be other games than those that were counted."""
    assert event.run is not None
    context = {"event": event, "bots": ", ".join(changed_bots(event.run))}
    return page(request, "league/replay_gone.html", context, 410)


def _bot_event_or_404(request: ClubRequest, pk: int) -> Event:
    event = event_or_404(request, pk)
    if event.run is None:
        raise Http404
    return event


def _game_or_404(event: Event, deal: int, rotation: int) -> dict[str, Any]:
    """The record of a finished deal's game; deals and rotations count from one.

    Raises `OtherVersion` where it would be another game now.
    """
    game = runs.game(event.run, deal=deal - 1, rotation=rotation - 1) if event.run else None
    if game is None:
        raise Http404
    return game
