"""Tables that stay open all night: one is done, one is formed, one more is put up."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.rights import Right
from league.services import chairs
from league.views.base import ClubRequest, club_view, event_or_404, incomplete_form, tell
from league.views.desk import Desk
from tables.numbers import whole_number


@require_POST
def done(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Those at the table are done there and wait for the next one."""
    try:
        chairs.end_table(sitting_id=desk.sitting.pk, by=desk.by)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("The table is free. Everybody who sat there waits now."))
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE)
def floor(request: ClubRequest, pk: int) -> HttpResponse:
    """Seats those who are proposed at an empty table, or puts up one more table."""
    event = event_or_404(request, pk)
    keys = [whole_number(key) for key in request.POST.get("seat", "").split(",")]
    try:
        if "add" in request.POST:
            sitting = chairs.add_table(event=event, by=request.user)
        elif None in keys:
            raise incomplete_form()
        else:
            entrants = [key for key in keys if key is not None]
            sitting = chairs.seat_table(event=event, entrants=entrants, by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("Table %(table)s is open.") % {"table": sitting.table_no})
    return redirect("league:event", slug=request.club.slug, pk=pk)
