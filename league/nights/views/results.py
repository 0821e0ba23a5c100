"""Entering and correcting results at a table."""

from __future__ import annotations

import functools
import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.acts import links
from league.base.domain import stored_specials
from league.base.facts import links as table_links
from league.base.lookup import find_event, find_sitting
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, is_script, page, tell
from league.base.views.phones import phone_of
from league.models import Dispute, Place
from league.nights import online
from league.nights.acts import disputes, plus_minus, results, seat_changes
from league.nights.domain import entry as entries
from league.nights.facts import claims as phones
from league.nights.facts import draws, sittings
from league.nights.facts import entry as shown_entry
from league.nights.facts.clock import clock_of
from league.nights.facts.sittings import PlayedGame
from league.nights.forms.events import SideForm
from league.nights.pages import answers, consequences, my_seat, table_page
from league.nights.views import entry
from league.nights.views.table_access import Desk
from tables.numbers import whole_number
from tables.web.addresses import address_of

LATEST = 10
"""How many games a table's page lists unless all are requested: a long night has 200."""


def table(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Return one table: dealer and leader, games played and, for scorers, the next game's entry.

    A script that asks for JSON gets the parts that change, or 204 if nothing has.
    """
    problem = _record(request, desk) if request.method == "POST" else None
    if is_script(request):
        return _answer(request, desk, problem)
    if request.method == "POST" and problem is None:
        return redirect(desk.moved_to or desk.here)
    if problem is not None:
        tell(request, problem)
    status = 200 if problem is None else 409
    return page(request, "league/nights/table.html", _context(request, desk), status)


def preview(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Return each player's points and money from the entry so far."""
    shown = _shown(request, desk)
    places = shown.next.places
    if (game_no := whole_number(request.GET.get("game"))) is not None:
        places = sittings.places_at(desk.sitting, min(game_no, shown.next.number))
    state = entry.so_far(
        [place.entrant_id for place in places], request.GET, first_out=_first_out(desk)
    )
    context = shown_entry.form(desk.event, places, state)
    return page(request, "league/nights/preview.html", {"event": desk.event} | context)


def game(request: ClubRequest, desk: Desk, game_no: int) -> HttpResponse:
    """Return one game with all its versions; for scorers, with the form to correct it."""
    versions = sittings.versions(desk.sitting, game_no)
    if not versions:
        raise Http404
    if request.right < Right.ORGANISE and any(game.result.held for game in versions):
        told = _("Game %(game)s is kept back until the ceremony. Organisers can correct it.")
        messages.info(request, told % {"game": game_no})
        return redirect(desk.here)
    problem = _correct(request, desk, game_no) if request.method == "POST" else None
    if request.method == "POST" and problem is None:
        messages.success(request, _("Game %(game)s corrected.") % {"game": game_no})
        for sentence in consequences.of_correction(desk.event, desk.sitting, game_no):
            messages.warning(request, sentence)
        return redirect(desk.here)
    sent = request.GET
    if problem is not None:
        tell(request, problem)
        versions = sittings.versions(desk.sitting, game_no)
        sent = request.GET if entry.code_of(problem) == "stale" else request.POST
    places = sittings.places_at(desk.sitting, game_no)
    shown = _as_entered(versions) | sent.dict()
    state = entry.tapped([place.entrant_id for place in places], shown, first_out=_first_out(desk))
    context = {
        "game_no": game_no,
        "current": versions[0],
        "versions": versions,
        "disputes": desk.sitting.disputes.filter(game_no=game_no).select_related(
            "player__merged_into", "by"
        ),
        "report_kinds": Dispute.Kind.choices,
        "report_to": f"{desk.here}games/{game_no}/dispute/",
        "client_id": uuid.uuid4(),
    }
    context |= _of_desk(desk) | shown_entry.form(desk.event, places, state)
    return page(request, "league/nights/game.html", context, 200 if problem is None else 409)


@require_POST
@club_view(Right.SCORE)
def renew_link(request: ClubRequest, pk: int, number: int, table_no: int) -> HttpResponse:
    """Replace the table's secret link; cards printed before stop working."""
    event = find_event(request.club, pk)
    sitting = find_sitting(event, number, table_no)
    try:
        links.renew_for_table(sitting=sitting, by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("The old link no longer works. Print this table's card again."))
    return redirect("league:table", request.club.slug, pk, number, table_no)


def _shown(request: ClubRequest, desk: Desk) -> sittings.SittingPage:
    return sittings.sitting_page(
        sitting=desk.sitting,
        event=desk.event,
        organises=request.right >= Right.ORGANISE,
        plays=desk.may_enter,
    )


def _parts(request: ClubRequest, desk: Desk) -> dict[str, Any]:
    """Return the context of the parts of the page that change with each game."""
    shown = _shown(request, desk)
    latest = shown.games[::-1]
    rows = table_page.game_rows(
        desk.event,
        latest if "all" in request.GET else latest[:LATEST],
        functools.partial(_may_confirm, request, desk),
    )
    clock = clock_of(desk.sitting.round, desk.sitting)
    parts = {"table": shown, "shown_games": rows, "clock": clock}
    if desk.link or request.right >= Right.BELONG:
        parts["answers"] = answers.at_table(desk.sitting, shown.resolved)
    return _of_desk(desk) | parts | table_page.said(shown)


def _context(request: ClubRequest, desk: Desk) -> dict[str, Any]:
    """Return the context of a table's page."""
    context = _parts(request, desk)
    shown = context["table"]
    places = shown.next.places
    state = entry.tapped(
        [place.entrant_id for place in places], request.GET, first_out=_first_out(desk)
    )
    context |= shown_entry.form(desk.event, places, state) | {"client_id": uuid.uuid4()}
    context["title"] = table_page.title(shown)
    if desk.event.may_note_side and desk.may_enter and not desk.moved_to:
        context["side_form"] = _side_form(request, desk, places)
    context["online"] = online.tables().key_at(desk.sitting)
    if request.right >= Right.ORGANISE and desk.event.is_open and not shown.next.is_over:
        context["free"] = draws.chair_choices(desk.event, desk.sitting.round)
    if desk.link and desk.event.is_open and request.right < Right.SCORE:
        own = phones.held(desk.event, phone_of(request))
        step = my_seat.next_step(desk.event, own) if own else None
        if step and step.table_no != desk.sitting.table_no:
            context["next_step"] = step
        context["own"] = own
        people = [place.entrant.player for place in places]
        claimed = phones.known(desk.event, people)
        context["findable"] = [player for player in people if player.pk not in claimed]
    link = None if desk.link or not desk.may_enter else table_links.of_table(desk.sitting)
    if link is not None:
        path = reverse("league:link_table", args=[link.secret])
        context["address"] = address_of(request, path)
    return context


def _first_out(desk: Desk) -> bool:
    return shown_entry.offer_of(desk.event).first_out


def _may_confirm(request: ClubRequest, desk: Desk, game: PlayedGame) -> bool:
    return (
        desk.may_speak
        and not game.confirmed
        and disputes.may_confirm(
            result=game.result,
            event=desk.event,
            by=desk.by,
            device=desk.device,
            organises=request.right >= Right.ORGANISE,
        )
    )


def _of_desk(desk: Desk) -> dict[str, Any]:
    return {"desk": desk, "event": desk.event, "sitting": desk.sitting, "here": desk.here}


def _answer(request: ClubRequest, desk: Desk, problem: ValidationError | None) -> HttpResponse:
    """Return the table's state for a script, with the refusal if there was one."""
    known = request.GET.get("version") == str(desk.sitting.version)
    if request.method == "GET" and known and not desk.moved_to:
        return HttpResponse(status=204)
    context = _parts(request, desk)
    following = context["table"].next
    state = {
        "version": desk.sitting.version,
        "moved": desk.moved_to,
        "next": following.number,
        "over": following.is_over or following.waits,
        "players": [place.entrant_id for place in following.places],
        "now": page(request, "league/nights/table.html#now", context).content.decode(),
        "turn": page(request, "league/nights/table.html#turn", context).content.decode(),
        "played": page(request, "league/nights/table.html#played", context).content.decode(),
    }
    if problem is None:
        return JsonResponse(state)
    refused = {"code": entry.code_of(problem), "message": " ".join(problem.messages)}
    return JsonResponse(state | refused, status=409)


def _record(request: ClubRequest, desk: Desk) -> ValidationError | None:
    """Save the sent game, side debt or first dealer; return the refusal, if any."""
    try:
        if (dealer := whole_number(request.POST.get("dealer"))) is not None:
            seat_changes.note_cut(sitting_id=desk.sitting.pk, entrant_id=dealer, by=desk.by)
            desk.sitting.refresh_from_db(fields=["version", "first_dealer", "was_cut"])
            return None
        if "side" in request.POST:
            _note_side(request, desk)
            return None
        saved = results.record(
            sitting_id=desk.sitting.pk,
            game_no=entry.count(request.POST.get("game_no", "")),
            by=desk.by,
            device=desk.device,
            **entry.whole(request.POST),
        )
        desk.sitting.version = saved.sitting.version
    except ValidationError as error:
        return _unless_gone(error)
    return None


def _side_form(request: ClubRequest, desk: Desk, places: list[Place]) -> SideForm:
    data = request.POST if "side" in request.POST else None
    initial = {"client_id": uuid.uuid4()}
    return SideForm(data, event=desk.event, places=places, initial=initial)


def _note_side(request: ClubRequest, desk: Desk) -> None:
    """Record a side debt at the table; ValidationError if refused."""
    places = sittings.places_at(desk.sitting, sittings.next_number(desk.sitting))
    form = _side_form(request, desk, places)
    if not form.is_valid():
        raise ValidationError([str(told) for errors in form.errors.values() for told in errors])
    data = form.cleaned_data
    plus_minus.note(
        sitting_id=desk.sitting.pk,
        payer_id=data["payer"],
        payee_id=data["payee"],
        amount=data["amount"],
        word=data["note"],
        client_id=data["client_id"],
        by=desk.by,
    )
    messages.success(request, _("Recorded in the night's money."))


def _unless_gone(error: ValidationError) -> ValidationError:
    """Return the refusal; 404 where the table is gone because its draw was withdrawn."""
    if entry.code_of(error) == "gone":
        raise Http404
    return error


def _as_entered(versions: list[PlayedGame]) -> dict[str, str]:
    """Return the game as form fields; for a void one, as last entered."""
    last = next((game for game in versions if game.placings), versions[0])
    groups: dict[int, list[int]] = {}
    for placing in last.placings:
        groups.setdefault(placing.rank, []).append(placing.entrant_id)
    return {
        "order": entries.write_order(list(groups.values())),
        "specials": entries.write_specials(stored_specials.from_json(last.result.specials)),
    }


def _correct(request: ClubRequest, desk: Desk, game_no: int) -> ValidationError | None:
    try:
        results.correct(
            sitting_id=desk.sitting.pk,
            game_no=game_no,
            version=entry.count(request.POST.get("version", "")),
            by=desk.by,
            device=desk.device,
            reason=request.POST.get("reason", ""),
            void="void" in request.POST,
            **entry.whole(request.POST),
        )
    except ValidationError as error:
        return _unless_gone(error)
    return None
