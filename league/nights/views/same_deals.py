"""Pages of a night whose tables all play the same deals."""

from __future__ import annotations

import json

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from league.base.downloads import attached
from league.base.lookup import find_event
from league.base.pages.address import address
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page, telling
from league.models import Club, Event, Round
from league.nights.acts import same_deals as acts
from league.nights.facts import same_deals as facts
from league.nights.pages import deal_sheets, same_deals
from league.nights.views.viewers import viewer_of
from tables.numbers import whole_number
from tables.play.facts import archive
from tables.web.addresses import address_of

CARDS = 52


def _find_night(club: Club, pk: int) -> Event:
    event = find_event(club, pk)
    if not event.rules_of_format.same_deals:
        raise Http404
    return event


@club_view(Right.SEE, of=_find_night)
def deals(request: ClubRequest, event: Event) -> HttpResponse:
    """Show who beat how many with the same cards, and the reader's own deals."""
    found = same_deals.deals_page(viewer_of(request, event), whole_number(request.GET.get("deal")))
    return page(request, "league/nights/same_deals.html", {"event": event, "page": found})


@club_view(Right.SEE, of=_find_night)
def deal(request: ClubRequest, event: Event, number: int, deal_no: int) -> HttpResponse:
    """Show one deal of a round: every hand, who held it, and how it was dealt."""
    round_ = get_object_or_404(event.rounds, number=number, status=Round.Status.RELEASED)
    if not 1 <= deal_no <= (event.games_per_round or 0):
        raise Http404
    table_no = whole_number(request.GET.get("table"))
    found = same_deals.board_page(viewer_of(request, event), round_, deal_no, table_no)
    return page(request, "league/nights/same_deal.html", {"event": event, "page": found})


@club_view(Right.SEE, of=_find_night)
def records(request: ClubRequest, event: Event) -> HttpResponse:
    """Return the records of all tables' told games, one per line: any program checks the deals."""
    lines = [
        json.dumps(archive.record(game), ensure_ascii=False) for game in facts.revealed_games(event)
    ]
    kind, name = "application/x-ndjson; charset=utf-8", f"deals-{event.pk}.jsonl"
    return HttpResponse("\n".join(lines), content_type=kind, headers=attached(name))


@club_view(Right.ORGANISE, of=_find_night)
def sheets(request: ClubRequest, event: Event) -> HttpResponse:
    """Show the night's deals for real cards, on paper, to who prepares them and does not play."""
    if request.method == "POST":
        with telling(request):
            acts.prepare(event=event, by=request.user)
        return redirect("league:deal_sheets", event.season.club.slug, event.pk)
    found = deal_sheets.deal_sheets_page(event, request.user.pk)
    check = address_of(request, address(event, "check_hand"))
    context = {"event": event, "page": found, "check": check}
    return page(request, "league/nights/deal_sheets.html", context)


@club_view(Right.SEE, of=_find_night)
def check_hand(request: ClubRequest, event: Event) -> HttpResponse:
    """Show the check word of the cards that the reader ticks; it tells nothing of the deals."""
    numbers = map(whole_number, request.GET.getlist("c")[:CARDS])
    ticked = {card for card in numbers if card is not None and card < CARDS}
    context = {"event": event, "page": deal_sheets.hand_check_page(ticked)}
    return page(request, "league/nights/hand_check.html", context)
