"""Taps at the door, by the night's link: on a player's phone or a shared tablet."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.acts import links
from league.base.lookup import find_event
from league.base.phone_keys import keys_of
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, incomplete_form, telling
from league.base.views.phones import claim_with, is_shared, phone_of
from league.models import Entrant, Event, Sitting
from league.nights.acts import attendance, claims, seat_changes
from league.nights.facts import claims as phones
from league.nights.facts.viewer import Viewer
from league.nights.pages import check_in_page
from league.nights.views import night_links, online_links
from tables.base.lookup import or_raise
from tables.numbers import whole_number
from tables.refusals import Refusal


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def renew_link(request: ClubRequest, found: Event) -> HttpResponse:
    """Replace the night's link; the earlier one stops working. `do=show` keeps it."""
    here = reverse("league:check_in", args=[request.club.slug, found.pk])
    with telling(request):
        if request.POST.get("do") == "show":
            links.keep_for_night(event=found, by=request.user)
            return redirect("league:night_qr", request.club.slug, found.pk)
        links.renew_for_night(event=found, by=request.user)
        messages.success(request, _("The link is ready. Send it, or let people scan it."))
    return redirect(here)


def page_of(request: HttpRequest, viewer: Viewer, query: str) -> check_in_page.SelfCheckIn:
    """Return the names to tap on this device."""
    event = viewer.event
    mine = checked_in_here(request, event)
    return check_in_page.self_check_in(
        viewer,
        shared=is_shared(request, event.season.club),
        mine=mine,
        chairs=online_links.own_seats(request, event, mine),
        to_watch=partial(online_links.to_watch, request, event),
        guesses="others" not in request.GET,
        query=query,
    )


def change(request: HttpRequest, event: Event) -> HttpResponse:
    """Check one player in, or undo a check-in from this device, or claim the phone.

    A phone claims the first name it taps; a tablet at the door, like anyone who runs the night,
    taps other players' names.
    """
    sent, mine = request.POST, checked_in_here(request, event)
    player = or_raise(whole_number(sent.get("player", sent.get("me"))), incomplete_form())
    if not event.season.club.players.filter(pk=player, bot="").exists():
        raise incomplete_form()
    here = redirect(request.get_full_path())
    if "me" in sent:
        return claim(request, event, player)
    if "sit" in sent:
        _sit_down(request, event, player)
        return here
    back = "back" in sent
    if back and player not in mine:
        raise Refusal(_("Only the phone that checked you in can undo it."))
    set_here(request, event, player, here=not back)
    if back or not _may_claim(request, event, player):
        return here
    return claim(request, event, player, arrives=True)


def claim(
    request: HttpRequest, event: Event, player: int, *, arrives: bool = False
) -> HttpResponse:
    """Claim this phone for the player, or have the phone asked that has the name already."""
    asks, page = not is_shared(request, event.season.club), night_links.path_of(event)

    def tap(phone: str) -> None:
        had = phones.held(event, phone)
        held = claims.claim(event=event, player_id=player, phone=phone, asks=asks)
        if held.phone_hash not in keys_of(phone, event.season.club_id):
            request.session[f"asks-{event.pk}"] = player
        elif had is None:
            text = _("This phone is %(name)s's.") % {"name": held.player.name}
            if arrives:
                text = " ".join([text, _("You are checked in.")])
            messages.success(request, text)

    return claim_with(request, tap, redirect(page))


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
    """Return whether a tap that checks this player in claims the phone, too."""
    return (
        not event.claims.filter(player=player, ended_at=None).exists()
        and not is_shared(request, event.season.club)
        and not phones.held(event, phone_of(request))
    )


def checked_in_here(request: HttpRequest, event: Event) -> list[int]:
    """Return the players whom this device checked in."""
    return list(request.session.get(f"checked-in-{event.pk}", []))
