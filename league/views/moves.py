"""Changing tables in the middle of a round."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.models import Sitting
from league.rights import Right
from league.selectors import moves
from league.services import chairs
from league.views.base import (
    ClubRequest,
    club_view,
    event_or_404,
    incomplete_form,
    page,
    sitting_or_404,
)
from tables.numbers import whole_number


@club_view(Right.ORGANISE)
def move(request: ClubRequest, pk: int, number: int, table_no: int) -> HttpResponse:
    """Somebody goes on at another table, to a new chair or instead of somebody there.

    `to` is `table.KEY` for a new chair at a table, or `place.KEY` for somebody's chair.
    """
    event = event_or_404(request, pk)
    sitting = sitting_or_404(request, event, number, table_no)
    context = {"event": event, "sitting": sitting, "who": ""}
    if request.method == "POST":
        context["who"] = request.POST.get("who", "")
        try:
            there = _move(request, sitting)
        except ValidationError as error:
            context["problem"] = " ".join(error.messages)
        else:
            messages.success(request, _("From the next game on they sit as shown below."))
            return redirect("league:table", request.club.slug, pk, number, there.table_no)
    context |= {"places": moves.seated(sitting), "others": moves.other_tables(sitting)}
    status = 409 if "problem" in context else 200
    return page(request, "league/table_move.html", context, status)


def _move(request: ClubRequest, sitting: Sitting) -> Sitting:
    """Does what the form says; the table to which somebody went."""
    who = whole_number(request.POST.get("who"))
    to = request.POST.get("to", "")
    others = moves.other_tables(sitting)
    chairs_there: dict[str, tuple[Sitting, int | None]]
    chairs_there = {f"table.{other.sitting.pk}": (other.sitting, None) for other in others}
    chairs_there |= {
        f"place.{place.pk}": (other.sitting, place.entrant_id)
        for other in others
        for place in other.places
    }
    if who is None or not to:
        raise ValidationError(_("Choose who changes tables and where to."))
    if to not in chairs_there:
        raise incomplete_form()
    there, instead_of = chairs_there[to]
    chairs.move(
        sitting_id=sitting.pk, entrant_id=who, to_id=there.pk, with_id=instead_of, by=request.user
    )
    return there
