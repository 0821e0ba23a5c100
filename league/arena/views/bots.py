"""Bot tournaments: progress, changes, and any game as a replay or a record."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from engine.sim import designs
from league.arena.acts import bots
from league.arena.pages import runs as selector
from league.arena.pages.bot_faces import bot_faces
from league.base import downloads
from league.base.downloads import attached
from league.base.lookup import find_event, find_tournament
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    incomplete_form,
    page,
    tell,
    telling,
)
from league.models import Event
from league.nights.pages import night_page
from league.nights.views import events as nights
from tables.base.lookup import or_404
from tables.numbers import whole_number
from tables.play.facts.replayed import names_of
from tables.play.pages import replays
from tables.refusals import Refusal
from tables.runs import runs
from tables.runs.run_records import OtherVersion, changed_bots

MOST_SEATINGS = 8
"""Games with a deal's cards that a replay still lists."""

CHANGED = {
    "pause": gettext_lazy("Paused. Batches already in progress will finish."),
    "resume": gettext_lazy("Resumed."),
    "cancel": gettext_lazy("Cancelled. Games played so far count."),
    "extend": gettext_lazy("Deals added."),
    "retry": gettext_lazy("Retrying the failed batches."),
}


@club_view(Right.SEE, of=find_event)
def event(request: ClubRequest, found: Event) -> HttpResponse:
    """Show an event: a bot tournament with its run, else a night."""
    if found.run is None:
        return nights.night(request, found)
    menu = night_page.menu(found, may_organise=request.right >= Right.ORGANISE)
    return page(request, "league/nights/event.html", _context(request, found) | {"menu": menu})


@club_view(Right.SEE, of=find_tournament)
def run_live(request: ClubRequest, event: Event) -> HttpResponse:
    """Return the part of a tournament's page that it refreshes: progress, statistics, standings."""
    return page(request, "league/arena/run.html", _context(request, event))


def _context(request: ClubRequest, event: Event) -> dict[str, Any]:
    found = selector.run_page(event, request.right)
    return {"event": event, "page": found, "stats": selector.statistics(found.run, found.names)}


@require_POST
@club_view(Right.ORGANISE, of=find_tournament)
def run_change(request: ClubRequest, event: Event) -> HttpResponse:
    change = request.POST.get("change", "")
    deals = whole_number(request.POST.get("deals"), 6) if change == "extend" else 0
    with telling(request, CHANGED.get(change, "")):
        if change not in CHANGED:
            raise incomplete_form()
        if deals is None or (change == "extend" and not deals):
            raise Refusal(_("Enter how many deals to add."))
        bots.change_run(event=event, by=request.user, change=change, deals=deals)
    return redirect("league:event", slug=request.club.slug, pk=event.pk)


@club_view(Right.BELONG, of=find_tournament)
def run_records(request: ClubRequest, event: Event) -> HttpResponseBase:
    """Return the records of some deals as JSON lines, each built when it is sent."""
    deal = whole_number(request.GET.get("deal", "1"), 7)
    if not deal:
        tell(request, Refusal(_("Enter a deal number.")))
        return redirect("league:event", slug=request.club.slug, pk=event.pk)
    assert event.run is not None
    name = f"tien-len-{event.pk}-{deal}.jsonl"
    try:
        return downloads.json_lines(request, event.run, deal, name)
    except OtherVersion:
        return _gone(request, event)


@club_view(Right.SEE, of=find_tournament)
def replay_pick(request: ClubRequest, event: Event) -> HttpResponse:
    """Redirect to the replay of the typed deal and rotation, counted from one."""
    deal = whole_number(request.GET.get("deal"), 7)
    rotation = whole_number(request.GET.get("rotation", "1"), 2)
    if deal is None or rotation is None:
        tell(request, Refusal(_("Enter a deal number and a rotation.")))
        return redirect("league:event", slug=request.club.slug, pk=event.pk)
    return redirect("league:replay", request.club.slug, event.pk, deal, rotation)


@club_view(Right.SEE, of=find_tournament)
def replay(request: ClubRequest, event: Event, deal: int, rotation: int) -> HttpResponse:
    try:
        record = _find_game(event, deal, rotation)
    except OtherVersion:
        return _gone(request, event)
    run = event.run
    assert run is not None
    games = designs.games_of_deal(len(run.bots), run.design)
    rotations = range(1, games + 1) if 1 < games <= MOST_SEATINGS else ()
    step = whole_number(request.GET.get("step"), 5)
    known = bot_faces(names_of(record))
    context = {"event": event, "deal": deal, "rotation": rotation, "rotations": rotations}
    context |= replays.replay_page(record, step, known, plays="play" in request.GET)
    partial = "#board" if request.htmx else ""
    return page(request, f"league/arena/replay.html{partial}", context)


@club_view(Right.SEE, of=find_tournament)
def record(request: ClubRequest, event: Event, deal: int, rotation: int) -> HttpResponse:
    try:
        found = _find_game(event, deal, rotation)
    except OtherVersion:
        return _gone(request, event)
    name = f"tien-len-{event.pk}-{deal}-{rotation}.json"
    return JsonResponse(found, json_dumps_params={"indent": 1}, headers=attached(name))


def _gone(request: ClubRequest, event: Event) -> HttpResponse:
    """Return the page (410) that says why a game cannot be replayed: its bots have changed."""
    assert event.run is not None
    context = {"event": event, "bots": ", ".join(changed_bots(event.run))}
    return page(request, "league/arena/replay_gone.html", context, 410)


def _find_game(event: Event, deal: int, rotation: int) -> dict[str, Any]:
    """Return the record of a finished deal's game; deals and rotations count from one.

    Raises `OtherVersion` if a changed bot would now play another game.
    """
    return or_404(runs.game(or_404(event.run), deal=deal - 1, rotation=rotation - 1))
