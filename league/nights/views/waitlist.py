"""Queue nights: finishing a table, seating a proposed one, adding one."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_event
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, incomplete_form, tell, telling
from league.nights.acts import seat_changes
from league.nights.pages.desk import Desk
from tables.numbers import whole_number


@require_POST
def done(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Finish a table: its players join the queue."""
    with telling(request, _("The table is free. Its players are back in the queue.")):
        seat_changes.end_table(sitting_id=desk.sitting.pk, by=desk.by)
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE)
def floor(request: ClubRequest, pk: int) -> HttpResponse:
    """Seat the proposed players at an empty table, or add a table."""
    event = find_event(request.club, pk)
    keys = [whole_number(key) for key in request.POST.get("seat", "").split(",")]
    try:
        if "add" in request.POST:
            sitting = seat_changes.add_table(event=event, by=request.user)
        elif None in keys:
            raise incomplete_form()
        else:
            entrants = [key for key in keys if key is not None]
            sitting = seat_changes.seat_table(event=event, entrants=entrants, by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("Table %(table)s is open.") % {"table": sitting.table_no})
    return redirect("league:event", slug=request.club.slug, pk=pk)
