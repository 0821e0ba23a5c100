"""The clock of a round and the extra time of a table."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_event, find_sitting
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    incomplete_form,
    telling,
)
from league.models import Event, Round
from league.nights.acts import clock
from league.nights.forms.events import MinutesForm
from league.nights.views.draws import on_round
from tables.numbers import whole_number
from tables.refusals import Refusal


@require_POST
@on_round(Right.ORGANISE)
def round_clock(request: ClubRequest, event: Event, round_: Round) -> HttpResponse:
    """Start, pause, resume or lengthen the clock; call the last game."""
    with telling(request):
        action, seen = request.POST.get("do", ""), whole_number(request.POST.get("seen"))
        if action == "start":
            clock.start(round_=round_, minutes=_minutes(request), by=request.user, seen=seen)
        elif action == "add":
            clock.add(round_=round_, minutes=_minutes(request), by=request.user, seen=seen)
        elif action == "pause":
            clock.pause(round_=round_, by=request.user)
        elif action == "resume":
            clock.resume(round_=round_, by=request.user)
        elif action == "last_game":
            clock.call_last_game(round_=round_, by=request.user)
        else:
            raise incomplete_form()
    return redirect("league:event", request.club.slug, event.pk)


@require_POST
@club_view(Right.ORGANISE)
def extra_time(request: ClubRequest, pk: int, number: int, table_no: int) -> HttpResponse:
    """Give one table more time."""
    sitting = find_sitting(find_event(request.club, pk), number, table_no)
    with telling(request):
        clock.give_extra(sitting=sitting, minutes=_minutes(request), by=request.user)
    return redirect("league:table", request.club.slug, pk, number, table_no)


def _minutes(request: ClubRequest) -> int:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        raise Refusal(_("Enter the minutes as a whole number, up to 600."))
    return int(form.cleaned_data["minutes"])
