"""Draws: drafting, releasing, withdrawing, reading and printing."""

import functools
from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.facts import links
from league.base.lookup import find_event, find_round, find_sitting
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    View,
    asked_name,
    club_view,
    page,
    tell,
    telling,
)
from league.models import Event, Round
from league.nights.acts import draws, swaps
from league.nights.acts import seat_changes as service
from league.nights.facts import draw_changes
from league.nights.pages import calls
from league.nights.pages import round_page as round_pages
from league.nights.views.table_moves import seats_seen
from league.nights.views.viewers import viewer_of
from tables.numbers import whole_number
from tables.refusals import Refusal
from tables.web.addresses import address_of


def on_round(right: Right) -> Callable[[Callable[..., HttpResponse]], View]:
    """Wrap a view of a round; if its draw is gone, redirect an organiser to the event."""

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @club_view(right, of=find_event)
        @functools.wraps(view)
        def wrapped(request: ClubRequest, event: Event, number: int) -> HttpResponse:
            try:
                round_ = find_round(event, number, request.right)
            except Http404:
                if request.right < Right.ORGANISE or not draw_changes.gone(event, number):
                    raise
                tell(request, draw_changes.stale(event, number))
                return redirect("league:event", slug=request.club.slug, pk=event.pk)
            return view(request, event, round_)

        return wrapped

    return decorate


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def draw(request: ClubRequest, event: Event) -> HttpResponse:
    """Draft the next round."""
    method = request.POST.get("method", "few_repeats")
    if method not in draws.METHODS:
        method = "few_repeats"
    anyway = request.POST.get("anyway") == "1"
    number, version = whole_number(request.POST.get("round")), _version(request)
    try:
        drawn = draws.draw_round(
            event=event,
            by=request.user,
            method=method,
            anyway=anyway,
            number=number,
            version=version,
            back=request.POST.get("back") == "1",
        )
    except ValidationError as error:
        code = getattr(error, "code", "")
        if code in ("unfinished", "early"):
            context = {"event": event, "problem": error.messages[0], "method": method}
            context["decides"] = code == "unfinished"
            context |= {"number": number, "version": version}
            return page(request, "league/nights/draw_anyway.html", context, 409)
        tell(request, error)
        if code == "stale":
            return _to_round(request, event, number)
        return redirect("league:check_in", slug=request.club.slug, pk=event.pk)
    return redirect("league:round", slug=request.club.slug, pk=event.pk, number=drawn.number)


@on_round(Right.SEE)
def round_page(request: ClubRequest, event: Event, round_: Round) -> HttpResponse:
    """Return a round's seating by table and by name."""
    hosts = request.right >= Right.ORGANISE
    found = round_pages.round_page(
        event, round_, query=asked_name(request), hosts=hosts, own=viewer_of(request, event).own
    )
    context: dict[str, object] = {"event": event, "page": found}
    context["asks"] = partial(calls.asks, request.user, event, others=False)
    return page(request, "league/nights/round.html", context)


@club_view(Right.SEE, of=find_event)
def print_page(request: ClubRequest, event: Event, number: int) -> HttpResponse:
    """Return the seating list, table cards and score sheets for printing.

    The cards carry the night's secret link, so they are only for visitors who may enter results.
    """
    round_ = find_round(event, number, request.right)
    context: dict[str, object] = {"event": event, "page": round_pages.round_page(event, round_)}
    link = links.of_night(event)
    if link is not None and request.right >= Right.SCORE and round_.status == "released":
        night = reverse("league:link_night", args=[link.secret])
        tables = round_.sittings.order_by("table_no").values_list("table_no", flat=True)
        context["cards"] = cards = [
            (number, address_of(request, f"{night}?table={number}")) for number in tables
        ]
        context["are_printed"] = round_pages.are_printed(round_)
        context["reaches"] = all(address.reaches for _number, address in cards)
    return page(request, "league/nights/print.html", context)


@require_POST
@on_round(Right.ORGANISE)
def release(request: ClubRequest, event: Event, round_: Round) -> HttpResponse:
    with telling(request, _("Round %(round)s released.") % {"round": round_.number}):
        seen = request.POST.get("since", "")
        draws.release_round(round_=round_, by=request.user, version=_version(request), seen=seen)
    return _to_round(request, event, round_.number)


@require_POST
@on_round(Right.ORGANISE)
def discard(request: ClubRequest, event: Event, round_: Round) -> HttpResponse:
    """Discard a draft or withdraw a released round."""
    reason, version = request.POST.get("reason", ""), _version(request)
    with telling(request, _("Draw withdrawn.")):
        draws.discard_round(round_=round_, by=request.user, reason=reason, version=version)
        return redirect("league:event", slug=request.club.slug, pk=event.pk)
    return _to_round(request, event, round_.number)


@club_view(Right.SEE, of=find_event)
def explain(request: ClubRequest, event: Event, number: int) -> HttpResponse:
    """Return how the round was drawn, and the quality of the draw."""
    round_ = find_round(event, number, request.right)
    context = {"event": event, "round": round_, "page": round_pages.explanation(event, round_)}
    return page(request, "league/nights/round_explain.html", context)


@on_round(Right.ORGANISE)
def swap(request: ClubRequest, event: Event, round_: Round) -> HttpResponse:
    """Swap two players of a draft; a GET shows the cost first."""
    sent = request.POST if request.method == "POST" else request.GET
    a, b = (_key(sent.get(name, "")) for name in ("a", "b"))
    context = {"event": event, "round": round_, "people": round_pages.swap_choices(round_)}
    context |= {"a": a, "b": b}
    try:
        if request.method == "POST":
            swaps.swap(round_=round_, a=a, b=b, by=request.user, version=_version(request))
            now = dict(round_pages.swap_choices(round_))
            seats = {"first": now.get(a), "second": now.get(b)}
            messages.success(request, _("Swapped: %(first)s, %(second)s.") % seats)
            return redirect(
                "league:round", slug=request.club.slug, pk=event.pk, number=round_.number
            )
        if round_.status == "draft":
            context["cost"] = swaps.cost(round_=round_, a=a, b=b)
    except ValidationError as error:
        context["problem"] = error.messages[0]
    return page(
        request, "league/nights/swap.html", context, 409 if request.method == "POST" else 200
    )


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def chairs(request: ClubRequest, event: Event, number: int, table_no: int) -> HttpResponse:
    """Remove, replace or add a player at a table."""
    sitting = find_sitting(event, number, table_no)
    leaves, comes = (_key(request.POST.get(name, "")) for name in ("leaves", "comes"))
    seen = seats_seen(request)
    with telling(request, _("The seats for the next game are shown below.")):
        if leaves:
            service.leave(
                sitting_id=sitting.pk,
                entrant_id=leaves,
                substitute_id=comes or None,
                by=request.user,
                seen=seen,
            )
        elif comes:
            service.join(sitting_id=sitting.pk, entrant_id=comes, by=request.user, seen=seen)
        else:
            raise Refusal(_("Choose who leaves or who joins."))
    return redirect("league:table", request.club.slug, event.pk, number, table_no)


def _to_round(request: ClubRequest, event: Event, number: int | None) -> HttpResponse:
    """Redirect to the round, or to the night if the round is gone."""
    if number is None or not event.rounds.filter(number=number).exists():
        return redirect("league:event", slug=request.club.slug, pk=event.pk)
    return redirect("league:round", slug=request.club.slug, pk=event.pk, number=number)


def _version(request: ClubRequest) -> int:
    """Return the version of the draw that the page showed; 0 for none."""
    return whole_number(request.POST.get("version")) or 0


def _key(text: str) -> int:
    return whole_number(text) or 0
