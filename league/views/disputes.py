"""Confirming a game, saying that it is wrong, and resolving that; calling the director."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.rights import Right
from league.services import clock, disputes
from league.views import entry
from league.views.base import (
    ClubRequest,
    club_view,
    event_or_404,
    sitting_or_404,
    tell,
)
from league.views.desk import Desk


@require_POST
def confirm(request: ClubRequest, desk: Desk, game_no: int) -> HttpResponse:
    """Somebody else says that the game is right."""
    try:
        disputes.confirm(
            sitting_id=desk.sitting.pk,
            game_no=game_no,
            version=entry.count(request.POST.get("version", "")),
            by=desk.by,
            device=desk.device,
            organises=request.right >= Right.ORGANISE,
        )
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("Game %(game)s is confirmed.") % {"game": game_no})
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE)
def confirm_all(request: ClubRequest, pk: int) -> HttpResponse:
    """An organiser says that every game is right but those in dispute."""
    try:
        count = disputes.confirm_all(event=event_or_404(request, pk), by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        text = ngettext("%(n)s game is confirmed.", "%(n)s games are confirmed.", count)
        messages.success(request, text % {"n": count})
    return redirect("league:event", slug=request.club.slug, pk=pk)


@require_POST
def dispute(request: ClubRequest, desk: Desk, game_no: int) -> HttpResponse:
    """Somebody at the table says that the game is wrong."""
    try:
        disputes.open_dispute(
            sitting_id=desk.sitting.pk,
            game_no=game_no,
            by=desk.by,
            device=desk.device,
            note=request.POST.get("note", ""),
        )
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("The organisers see it now."))
    return redirect(desk.here)


@require_POST
def call(request: ClubRequest, desk: Desk) -> HttpResponse:
    """The table calls the director, or takes the call back."""
    try:
        if "answered" in request.POST:
            clock.answer_call(sitting=desk.sitting, by=desk.by)
        else:
            note = request.POST.get("note", "")
            clock.call_director(sitting=desk.sitting, by=desk.by, note=note)
    except ValidationError as error:
        tell(request, error)
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE)
def dismiss(
    request: ClubRequest, pk: int, number: int, table_no: int, game_no: int
) -> HttpResponse:
    """The game stays as it is, and the reason is told."""
    sitting = sitting_or_404(request, event_or_404(request, pk), number, table_no)
    try:
        disputes.dismiss(
            sitting_id=sitting.pk,
            game_no=game_no,
            by=request.user,
            reason=request.POST.get("reason", ""),
        )
    except ValidationError as error:
        tell(request, error)
        return redirect("league:game", request.club.slug, pk, number, table_no, game_no)
    return redirect("league:table", request.club.slug, pk, number, table_no)
