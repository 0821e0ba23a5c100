"""Seats during a round: moves between tables, and the tables of queue nights."""

from django.contrib import messages
from django.core.exceptions import ValidationError
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
    page,
    telling,
)
from league.models import Event, Sitting
from league.nights.acts import seat_changes
from league.nights.pages import table_moves
from league.nights.pages.desk import Desk
from tables.numbers import whole_number
from tables.refusals import Refusal


@club_view(Right.ORGANISE, of=find_event)
def move(request: ClubRequest, event: Event, number: int, table_no: int) -> HttpResponse:
    """Move a player to a new seat at another table, or swap with a player there.

    `to` is `table.KEY` for a new seat at a table, or `place.KEY` for a player's seat.
    """
    sitting = find_sitting(event, number, table_no)
    context: dict[str, object] = {"event": event, "sitting": sitting}
    if request.method == "POST":
        context |= {"who": request.POST.get("who", ""), "to": request.POST.get("to", "")}
        try:
            there = _move(request, sitting)
        except ValidationError as error:
            context["problem"] = " ".join(error.messages)
        else:
            who = whole_number(request.POST.get("who")) or 0
            names = {one.entrant_id: one.entrant.player.name for one in table_moves.seated(there)}
            values = {"name": names.get(who), "table": there.table_no}
            said = _("%(name)s sits at table %(table)s from the next game.") % values
            messages.success(request, said)
            return redirect("league:table", request.club.slug, event.pk, number, there.table_no)
    context |= {"places": table_moves.seated(sitting), "others": table_moves.other_tables(sitting)}
    status = 409 if "problem" in context else 200
    return page(request, "league/nights/table_move.html", context, status)


def _move(request: ClubRequest, sitting: Sitting) -> Sitting:
    """Apply the form; return the table that the player moved to."""
    who = whole_number(request.POST.get("who"))
    to = request.POST.get("to", "")
    others = table_moves.other_tables(sitting)
    chairs_there: dict[str, tuple[Sitting, int | None]]
    chairs_there = {f"table.{other.sitting.pk}": (other.sitting, None) for other in others}
    chairs_there |= {
        f"place.{place.pk}": (other.sitting, place.entrant_id)
        for other in others
        for place in other.places
    }
    if who is None or not to:
        raise Refusal(_("Choose who moves and where to."))
    if to not in chairs_there:
        raise incomplete_form()
    there, instead_of = chairs_there[to]
    seat_changes.move(
        sitting_id=sitting.pk,
        entrant_id=who,
        to_id=there.pk,
        with_id=instead_of,
        by=request.user,
        seen=seats_seen(request),
    )
    return there


def seats_seen(request: ClubRequest) -> set[int] | None:
    """Return the entrants whom the form showed at the table; None if it does not say so."""
    if "seen" not in request.POST:
        return None
    return {whole_number(key) or 0 for key in request.POST["seen"].split(",") if key}


@require_POST
def done(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Finish a table: its players join the queue."""
    with telling(request, _("The table is free. Its players are back in the queue.")):
        seat_changes.end_table(sitting_id=desk.sitting.pk, by=desk.viewer.by)
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def floor(request: ClubRequest, event: Event) -> HttpResponse:
    """Seat the proposed players at an empty table, or add a table."""
    keys = [whole_number(key) for key in request.POST.get("seat", "").split(",")]
    with telling(request):
        if "add" in request.POST:
            sitting = seat_changes.add_table(event=event, by=request.user)
        elif None in keys:
            raise incomplete_form()
        else:
            entrants = [key for key in keys if key is not None]
            sitting = seat_changes.seat_table(event=event, entrants=entrants, by=request.user)
        messages.success(request, _("Table %(table)s is open.") % {"table": sitting.table_no})
    return redirect("league:event", slug=request.club.slug, pk=event.pk)
