"""The clock of a round and the extra time of a table."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.forms import MinutesForm
from league.models import Round
from league.rights import Right
from league.services import clock
from league.views.base import (
    ClubRequest,
    club_view,
    event_or_404,
    incomplete_form,
    round_or_404,
    sitting_or_404,
    tell,
)


@require_POST
@club_view(Right.ORGANISE)
def round_clock(request: ClubRequest, pk: int, number: int) -> HttpResponse:
    """Starts, pauses, resumes, lengthens; calls the last game."""
    round_ = round_or_404(request, event_or_404(request, pk), number)
    try:
        _do(request, round_)
    except ValidationError as error:
        tell(request, error)
    return redirect("league:event", request.club.slug, pk)


@require_POST
@club_view(Right.ORGANISE)
def extra_time(request: ClubRequest, pk: int, number: int, table_no: int) -> HttpResponse:
    """Gives one table more time."""
    sitting = sitting_or_404(request, event_or_404(request, pk), number, table_no)
    try:
        clock.give_extra(sitting=sitting, minutes=_minutes(request), by=request.user)
    except ValidationError as error:
        tell(request, error)
    return redirect("league:table", request.club.slug, pk, number, table_no)


def _do(request: ClubRequest, round_: Round) -> None:
    action = request.POST.get("do", "")
    if action == "start":
        clock.start(round_=round_, minutes=_minutes(request), by=request.user)
    elif action == "add":
        clock.add(round_=round_, minutes=_minutes(request), by=request.user)
    elif action == "pause":
        clock.pause(round_=round_, by=request.user)
    elif action == "resume":
        clock.resume(round_=round_, by=request.user)
    elif action == "last_game":
        clock.call_last_game(round_=round_, by=request.user)
    else:
        raise incomplete_form()


def _minutes(request: ClubRequest) -> int:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("Write the minutes as a whole number up to 600."))
    return int(form.cleaned_data["minutes"])
