"""Confirming, disputing and resolving games; calling an organiser."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.base.lookup import find_event, find_sitting, first_or_404
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, incomplete_form, page, telling
from league.base.views.undo import tell_done
from league.models import Dispute, Event, Sitting
from league.nights.acts import clock, disputes
from league.nights.pages import calls
from league.nights.pages.desk import Desk
from tables.base.lookup import or_raise
from tables.numbers import whole_number


@require_POST
def confirm(request: ClubRequest, desk: Desk, game_no: int) -> HttpResponse:
    """Confirm the version of a game that the page showed."""
    version = whole_number(request.POST.get("version"))
    with telling(request, _("Game %(game)s confirmed.") % {"game": game_no}):
        disputes.confirm(
            sitting_id=desk.sitting.pk,
            game_no=game_no,
            version=or_raise(version, incomplete_form()),
            by=desk.viewer.by,
            device=desk.viewer.device,
            organises=request.right >= Right.ORGANISE,
        )
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE)
def confirm_all(request: ClubRequest, pk: int) -> HttpResponse:
    """Confirm every undisputed game, as an organiser."""
    with telling(request):
        count = disputes.confirm_all(event=find_event(request.club, pk), by=request.user)
        text = ngettext("%(n)s game confirmed.", "%(n)s games confirmed.", count)
        messages.success(request, text % {"n": count})
    return redirect("league:event", slug=request.club.slug, pk=pk)


@require_POST
def dispute(request: ClubRequest, desk: Desk, game_no: int) -> HttpResponse:
    """Open a dispute about a game."""
    with telling(request, _("The organisers have your report. Their answer will appear here.")):
        disputes.open_dispute(
            sitting_id=desk.sitting.pk,
            game_no=game_no,
            by=desk.viewer.by,
            device=desk.viewer.device,
            player=desk.viewer.player,
            **told(request),
        )
    return redirect(desk.here)


def told(request: HttpRequest) -> dict[str, Any]:
    """Return what is reported: its kind, "" in an old form, the own place, and words."""
    sent = request.POST.get("dispute", "")
    return {
        "kind": sent if sent in Dispute.Kind.values else "",
        "place": whole_number(request.POST.get("place")),
        "note": request.POST.get("note", ""),
    }


@require_POST
def call(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Call an organiser to the table, or end the call."""
    with telling(request):
        if "answered" in request.POST:
            clock.answer_call(sitting=desk.sitting, by=desk.viewer.by)
        else:
            note = request.POST.get("note", "")
            clock.call_director(sitting=desk.sitting, by=desk.viewer.by, note=note)
    return redirect(desk.here)


@club_view(Right.ORGANISE, of=find_event)
def needs(request: ClubRequest, event: Event) -> HttpResponse:
    """Return what needs an organiser, here and at other nights; a POST takes a table of here on.

    204 if the page has sent all of it as `known`. The POST redirects to the table or game.
    """
    if request.method == "POST":
        return _look_after(request, event)
    others = "others" in request.GET
    found = calls.asks(request.user, event, others=others)
    if request.GET.get("known") == found.known:
        return HttpResponse(status=204)
    context = {"event": event, "asks": found, "others": others}
    return page(request, "league/nights/needs_badge.html", context)


def _look_after(request: ClubRequest, event: Event) -> HttpResponse:
    """Note that an organiser looks after a table's call or a disputed game."""
    key = whole_number(request.POST.get("table")) or 0
    sittings = Sitting.objects.filter(pk=key, round__event=event, round__status="released")
    sitting = first_or_404(sittings.select_related("round"))
    at = (sitting.round.number, sitting.table_no)
    game_no = whole_number(request.POST.get("game"))
    with telling(request):
        if game_no is None:
            clock.come_to_call(sitting=sitting, by=request.user)
        else:
            disputes.look_at(sitting_id=sitting.pk, game_no=game_no, by=request.user)
    if game_no is None or not sitting.results.filter(game_no=game_no).exists():
        return redirect("league:table", request.club.slug, event.pk, *at)
    return redirect("league:game", request.club.slug, event.pk, *at, game_no)


@require_POST
@club_view(Right.SCORE)
def dismiss(
    request: ClubRequest, pk: int, number: int, table_no: int, game_no: int
) -> HttpResponse:
    """Dismiss a dispute with a reason; the game stays as it is. An undo opens it again."""
    sitting = find_sitting(find_event(request.club, pk), number, table_no)
    at: dict[str, Any] = {"sitting_id": sitting.pk, "game_no": game_no, "by": request.user}
    with telling(request):
        if (key := whole_number(request.POST.get("reopens"))) is None:
            told = disputes.dismiss(**at, reason=request.POST.get("reason", ""))
            words = _("Game %(game)s stays as it is.") % {"game": game_no}
            tell_done(request, f"{words} {told.heard}", request.path, [("reopens", told.pk)])
            return redirect("league:table", request.club.slug, pk, number, table_no)
        disputes.reopen(**at, key=key)
    return redirect("league:game", request.club.slug, pk, number, table_no, game_no)
