"""Entering and correcting results at a table."""

import uuid

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.acts import links
from league.base.forms import mark_of
from league.base.lookup import find_event, find_sitting
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    incomplete_form,
    page,
    renew_key,
    tell,
    telling,
    unit_of,
)
from league.base.views.undo import tell_done
from league.models import Event, Place
from league.models.result import latest
from league.nights.acts import disputes, plus_minus, results, seat_changes
from league.nights.domain import entry
from league.nights.facts import online_tables, sittings
from league.nights.forms.events import SideForm
from league.nights.pages import entry_form, game_page, table_page
from league.nights.pages.desk import Desk, enterer_of
from tables.numbers import whole_number
from tables.refusals import Refusal
from tables.web import old_pages
from tables.web.addresses import address_of
from tables.web.scripts import is_script


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
    sent = request.GET.dict()
    if problem is not None and _code_of(problem) != "stale":
        sent |= _kept(request)
    found = table_page.table_page(desk, sent)
    context: dict[str, object] = {"event": desk.event, "page": found, "table": found.table}
    if found.notes_side:
        context["side_form"] = form = _side_form(request, desk, found.table.next.places)
        renew_key(form, problem)
    if found.link_path:
        context["address"] = address_of(request, found.link_path)
    status = 200 if problem is None else 409
    return page(request, "league/nights/table.html", context, status)


def preview(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Return each player's points and money from the entry so far."""
    number, corrected = sittings.next_number(desk.sitting), None
    if (game_no := whole_number(request.GET.get("game"))) is not None:
        number = min(game_no, number)
        corrected = desk.sitting.results.filter(latest(), game_no=number).first()
    places = sittings.places_at(desk.sitting, number)
    found = entry_form.preview(desk, places, request.GET.dict(), corrected)
    return page(request, "league/nights/preview.html", {"event": desk.event, "preview": found})


def game(request: ClubRequest, desk: Desk, game_no: int) -> HttpResponse:
    """Return one game with all its versions; for scorers, with the form to correct it."""
    versions = sittings.versions(desk.sitting, game_no)
    if not versions:
        raise Http404
    if any(table_page.is_hidden(desk, version.result) for version in versions):
        words = _("Game %(game)s is kept back until the ceremony. Organisers can correct it.")
        messages.info(request, words % {"game": game_no})
        return redirect(desk.here)
    sent, status, doubt = request.GET.dict(), 200, ""
    if request.method == "POST":
        disputed = disputes.open_at(desk.sitting, game_no)
        try:
            new = _sent(request, "version")
            doubt = "" if "void" in request.POST else game_page.doubt_of(versions, new)
            if doubt and request.POST.get("sure") != mark_of(doubt):
                raise Refusal(doubt, code="cong_moved", status=409)
            results.correct(
                sitting_id=desk.sitting.pk,
                game_no=game_no,
                version=new.number,
                groups=new.groups,
                specials=new.specials,
                client_id=new.client_id,
                by=desk.viewer.by,
                device=desk.viewer.device,
                reason=request.POST.get("reason", ""),
                void="void" in request.POST,
                reopens=whole_number(request.POST.get("reopens")),
            )
        except ValidationError as error:
            if _code_of(error) == "gone":
                raise Http404 from error  # The draw of the table was withdrawn.
            tell(request, error)
            sent |= {} if _code_of(error) == "stale" else _kept(request)
            versions, status = sittings.versions(desk.sitting, game_no), 409
        else:
            text, undo = game_page.corrected(sittings.versions(desk.sitting, game_no), disputed)
            if any(version.result.client_id == new.client_id for version in versions):
                words = _("Game %(game)s was corrected by this form before. Nothing was changed.")
                text, undo = words % {"game": game_no}, {}
            tell_done(request, text, request.path, undo.items())
            for sentence in game_page.consequences_of(desk.event, desk.sitting, game_no):
                messages.warning(request, sentence)
            return redirect(desk.here)
    found = game_page.game_page(desk, versions, sent, (doubt, mark_of(doubt)) if doubt else None)
    return page(request, "league/nights/game.html", {"event": desk.event, "page": found}, status)


@require_POST
@club_view(Right.SCORE, of=find_event)
def renew_link(request: ClubRequest, event: Event, number: int, table_no: int) -> HttpResponse:
    """Replace the table's secret link; cards printed before stop working."""
    sitting = find_sitting(event, number, table_no)
    with telling(request, _("The old link no longer works. Print this table's card again.")):
        links.renew_for_table(sitting=sitting, by=request.user)
    return redirect("league:table", request.club.slug, event.pk, number, table_no)


def _answer(request: ClubRequest, desk: Desk, problem: ValidationError | None) -> HttpResponse:
    """Return the table's state for a script, with the refusal or the id of the game saved.

    A page of a release without a mark opens itself again where it is `moved` to, unless taps are on
    it: those come with the game that it saves.
    """
    is_read = request.method == "GET"
    is_old = not old_pages.is_marked(request)
    if is_read:
        is_old = old_pages.is_old(request, desk.here)
    known = request.GET.get("version") == str(desk.version)
    is_news = old_pages.is_next() if is_old else not known
    if is_read and not (is_news or desk.moved_to):
        return HttpResponse(status=204)
    # Who enters a game is at a table with real cards.
    online = online_tables.key_at(desk.sitting) if is_read else ""
    found = table_page.table_state(desk, everything="all" in request.GET, online=online)
    following = found.next

    def part(name: str) -> str:
        parts = {"club": request.club, "event": desk.event, "table": found}
        parts["unit"] = unit_of(request.club, parts)
        return render_to_string(f"league/nights/table.html#{name}", parts, request)

    state = {
        "version": desk.version,
        "moved": desk.moved_to or (desk.here if is_old else ""),
        "next": following.number,
        "over": following.is_over or following.waits,
        "players": [place.entrant_id for place in following.places],
        "now": part("now"),
        "turn": part("turn"),
        "played": part("played"),
    }
    more: dict[str, object] = {"client_id": request.POST.get("client_id")}
    if problem is not None:
        more = {"code": _code_of(problem), "message": " ".join(problem.messages), "retry": False}
        more["ended"] = following.is_over
    answer = JsonResponse(state | more, status=200 if problem is None else 409)
    if is_old:
        old_pages.note_renewed(answer, desk.here)
    return answer


def _record(request: ClubRequest, desk: Desk) -> ValidationError | None:
    """Save the sent game, side debt or first dealer; return the refusal, if any."""
    try:
        if (dealer := whole_number(request.POST.get("dealer"))) is not None:
            seat_changes.note_cut(sitting_id=desk.sitting.pk, entrant_id=dealer, by=desk.viewer.by)
            desk.sitting.refresh_from_db(fields=["version", "first_dealer", "was_cut"])
            return None
        if "side" in request.POST:
            _note_side(request, desk)
            return None
        sent = _sent(request, "game_no")
        _check_who(request, desk)
        saved = results.record(
            sitting_id=desk.sitting.pk,
            game_no=sent.number,
            groups=sent.groups,
            specials=sent.specials,
            client_id=sent.client_id,
            by=desk.viewer.by,
            device=desk.viewer.device,
            tapped=results.Tapped(
                ago=whole_number(request.POST.get("ago"), digits=8) or 0,
                by=enterer_of(request.POST.get("by", "")),
            ),
        )
        desk.sitting.version = saved.sitting.version
    except ValidationError as error:
        if _code_of(error) == "gone":  # Its draw was withdrawn.
            raise Http404 from error
        return error
    return None


def _check_who(request: ClubRequest, desk: Desk) -> None:
    """Refuse a game that waited in this browser for another account; a link's is anyone's."""
    entered_by = enterer_of(request.POST.get("by", ""))
    if entered_by and desk.link is None and desk.viewer.by and entered_by != desk.viewer.by.pk:
        raise Refusal(
            _(
                "Another account entered this game on this phone. It is sent once that account is "
                "signed in here again. To save it as yours, choose “Edit”."
            ),
            code="another_account",
            status=409,
        )


def _side_form(request: ClubRequest, desk: Desk, places: list[Place]) -> SideForm:
    data = request.POST if "side" in request.POST else None
    return SideForm(data, event=desk.event, places=places, initial={"client_id": uuid.uuid4()})


def _note_side(request: ClubRequest, desk: Desk) -> None:
    """Record a side debt at the table; ValidationError if refused."""
    places = sittings.places_at(desk.sitting, sittings.next_number(desk.sitting))
    form = _side_form(request, desk, places)
    if not form.is_valid():
        raise ValidationError([str(text) for errors in form.errors.values() for text in errors])
    data = form.cleaned_data
    plus_minus.note(
        sitting_id=desk.sitting.pk,
        payer_id=data["payer"],
        payee_id=data["payee"],
        amount=data["amount"],
        word=data["note"],
        client_id=data["client_id"],
        by=desk.viewer.by,
    )
    messages.success(request, _("Recorded in the night's money."))


def _sent(request: ClubRequest, number: str) -> entry.SentGame:
    sent = request.POST.dict()
    if "void" not in sent and entry.has_begun(sent):
        raise Refusal(
            _(
                "A chop or penalty was chosen and not added. If nothing was missing, it is in the "
                "game now: check it, and save."
            ),
            code="begun",
            status=409,
        )
    try:
        return entry.read_game(sent, number=number)
    except ValueError as error:
        raise incomplete_form() from error


def _kept(request: ClubRequest) -> dict[str, str]:
    """Return a refused form as the page's taps, the last of which adds what was chosen."""
    return request.POST.dict() | {"add": "1"}


def _code_of(error: ValidationError) -> str:
    """Return the refusal's stable code, for scripts."""
    return str(getattr(error, "code", None) or "invalid")
