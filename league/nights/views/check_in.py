"""Self check-in by the night's link, on a player's phone or a shared tablet."""

from __future__ import annotations

import zoneinfo
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.acts import links
from league.base.facts import links as table_links
from league.base.lookup import find_event
from league.base.rights import Right
from league.base.views import guessing
from league.base.views.base import (
    ClubRequest,
    asked_name,
    club_view,
    incomplete_form,
    page,
    tell,
)
from league.base.views.phones import claim_with, is_shared, phone_of
from league.models import Entrant, Event, LivePlan, Sitting
from league.nights.acts import attendance, claims, seat_changes
from league.nights.facts import claims as phones
from league.nights.facts import events as selector
from league.nights.pages import check_in_page
from league.nights.views import night_links, online_links
from tables.numbers import whole_number
from tables.refusals import Refusal
from tables.web.addresses import address_of


def check_in(request: HttpRequest, check_in: str) -> HttpResponse:
    """Return the night's names, and the seats of players whom this device checked in.

    A tap checks a player in, and only this device can undo it. With the `version` of the visible
    page the answer is only the part that changes, or 204 if it has not.
    """
    if guessing.too_many(request):
        return render(request, "league/nights/link_wait.html", status=429)
    link = links.find_check_in(check_in)
    if link is None or link.event is None:
        return night_links.ended(request, check_in)
    if not link.event.is_open:
        return night_links.after(request, link.event, request.path)
    with timezone.override(zoneinfo.ZoneInfo(link.club.time_zone)):
        if request.method == "POST":
            try:
                return _change(request, link.event)
            except ValidationError as error:
                tell(request, error)
            return redirect(request.get_full_path())
        if request.GET.get("version") == str(link.event.version):
            return HttpResponse(status=204)
        template = "league/nights/check_in_by_link.html" + (
            "#night" if "version" in request.GET else ""
        )
        more = {"door": request.GET["door"]} if "door" in request.GET else {}
        news = urlencode(more | {"version": link.event.version})
        found = vars(_page(request, link.event)) | {"news_at": f"{request.path}?{news}"}
        return render(request, template, found)


def _page(request: HttpRequest, event: Event) -> check_in_page.SelfCheckIn:
    mine = checked_in_here(request, event)
    return check_in_page.self_check_in(
        event,
        phone=phone_of(request),
        shared=is_shared(request, event.season.club),
        mine=mine,
        chairs=online_links.own_seats(request, event, mine),
        to_watch=partial(online_links.to_watch, request, event),
        query=asked_name(request),
    )


@require_POST
@club_view(Right.ORGANISE)
def renew_link(request: ClubRequest, pk: int) -> HttpResponse:
    """Create the self check-in link; an earlier one stops working.

    `do=show` keeps the active link.
    """
    found = find_event(request.club, pk)
    try:
        if request.POST.get("do") == "show":
            links.keep_for_check_in(event=found, by=request.user)
            here = reverse("league:check_in", args=[request.club.slug, pk])
            return redirect(f"{here}#by-link")
        links.renew_for_check_in(event=found, by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("The link is ready. Send it, or let people scan it."))
    return redirect("league:check_in", slug=request.club.slug, pk=pk)


@club_view(Right.ORGANISE)
def codes(request: ClubRequest, pk: int) -> HttpResponse:
    """Return a printable code for each of the night's players to claim a phone with."""
    event = find_event(request.club, pk)
    link = table_links.of_check_in(event).first()
    found = []
    if link is not None and event.is_open:
        for player in selector.people_of(event):
            code = links.personal_code(link, player.pk)
            path = reverse("league:link_personal", args=[pk, player.pk, code])
            found.append((player.name, address_of(request, path)))
    reaches = all(address.reaches for _name, address in found)
    context = {"event": event, "codes": found, "reaches": reaches}
    return page(request, "league/nights/codes.html", context)


def _change(request: HttpRequest, event: Event) -> HttpResponse:
    """Check one player in, or undo a check-in from this device.

    A phone claims the first name it taps; a tablet at the door, like anyone who runs the night,
    taps other players' names.
    """
    player, mine = whole_number(request.POST.get("player")), checked_in_here(request, event)
    if player is None:
        raise incomplete_form()
    if not event.season.club.players.filter(pk=player, bot="").exists():
        raise incomplete_form()
    here = redirect(request.get_full_path())
    if "sit" in request.POST:
        _sit_down(request, event, player)
        return here
    back = "back" in request.POST
    if back and player not in mine:
        raise Refusal(_("Only the phone that checked you in can undo it."))
    if "me" not in request.POST:
        set_here(request, event, player, here=not back)
    if back or not _may_claim(request, event, player):
        return here
    claim = partial(claims.claim, event=event, player_id=player)
    plays_online = LivePlan.objects.filter(event=event).exists()
    there = here if plays_online else redirect("league:my_night", event.pk)
    return claim_with(request, claim, there)


def set_here(request: HttpRequest, event: Event, player: int, *, here: bool = True) -> None:
    """Set a player as here or not here yet, and store that this device did so."""
    presence = Entrant.Presence.HERE if here else Entrant.Presence.EXPECTED
    attendance.set_presence(event=event, player_ids=[player], presence=presence, by=None)
    others = [known for known in checked_in_here(request, event) if known != player]
    request.session[f"checked-in-{event.pk}"] = (others + ([player] if here else []))[-50:]


def _sit_down(request: HttpRequest, event: Event, player: int) -> None:
    """Seat a waiting player whom this device checked in at a table with an empty seat."""
    sitting = whole_number(request.POST["sit"]) or 0
    entrant = event.entrants.filter(player=player).first()
    known = Sitting.objects.filter(pk=sitting, round__event=event).exists()
    if entrant is None or not known or player not in checked_in_here(request, event):
        raise incomplete_form()
    seat_changes.take_free_chair(sitting_id=sitting, entrant_id=entrant.pk)


def _may_claim(request: HttpRequest, event: Event, player: int) -> bool:
    """Return whether a tap on this name claims the phone."""
    if "me" in request.POST:
        return True
    is_free = not event.claims.filter(player=player, ended_at=None).exists()
    return (
        is_free
        and not is_shared(request, event.season.club)
        and not phones.held(event, phone_of(request))
    )


def checked_in_here(request: HttpRequest, event: Event) -> list[int]:
    """Return the players whom this device checked in."""
    return list(request.session.get(f"checked-in-{event.pk}", []))
