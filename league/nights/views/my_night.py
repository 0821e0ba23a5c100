"""A player's own night on a phone that claimed the name once, without an account."""

from __future__ import annotations

import zoneinfo
from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST

from league.base import rights
from league.base.acts import links
from league.base.lookup import find_event, first_or_404
from league.base.rights import Right
from league.base.views import guessing
from league.base.views.base import ClubRequest, club_view, incomplete_form, tell
from league.base.views.phones import claim_with, phone_of
from league.models import Entrant, Event, Player, Result
from league.nights.acts import attendance, claims, disputes
from league.nights.facts import claims as phones
from league.nights.pages import my_night as pages
from league.nights.pages import my_seat
from league.nights.pages.desk import Desk
from league.nights.views import check_in, night_links, online_links
from league.nights.views.disputes import kind_of
from league.nights.views.table_access import device_of
from tables.numbers import whole_number


@cache_control(private=True, no_store=True)
def my_night(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the night of the player who holds this phone or account; 404 for everyone else.

    With the `version` of the visible page the answer is only the part that changes, or 204 if it
    has not.
    """
    events_ = Event.objects.filter(pk=pk, kind=Event.Kind.NIGHT)
    event = first_or_404(events_.select_related("season__club", "ruleset"))
    visitor = _visitor(request, event)
    with timezone.override(zoneinfo.ZoneInfo(event.season.club.time_zone)):
        if request.method == "POST":
            try:
                if "next" in request.POST:
                    return _keep_name(request, event, visitor)
                return _change(request, event, visitor)
            except ValidationError as error:
                tell(request, error)
            return redirect("league:my_night", pk)
        if request.GET.get("version") == str(event.version):
            return HttpResponse(status=204)
        here = check_in.checked_in_here(request, event)
        mine = [visitor.player.pk] if visitor.player.pk in here else []
        found = pages.my_night(
            event,
            visitor,
            everything="all" in request.GET,
            chairs=[seat.address for seat in online_links.own_seats(request, event, mine)],
            to_watch=partial(online_links.to_watch, request, event) if mine else None,
        )
        part = "#night" if "version" in request.GET else ""
        return render(request, f"league/nights/my_night.html{part}", vars(found))


@cache_control(private=True, no_store=True)
def by_code(request: HttpRequest, pk: int, player: int, personal: str) -> HttpResponse:
    """Return the page behind a player's printed code: one tap claims the phone and checks in."""
    if guessing.too_many(request):
        return render(request, "league/nights/link_wait.html", status=429)
    link = links.find_personal(pk, player, personal)
    if link is None or link.event is None:
        return night_links.ended(request, personal)
    event, club = link.event, link.club
    people = Player.objects.filter(pk=player, club=club).select_related("merged_into")
    found = first_or_404(people)
    person = found.merged_into or found
    with timezone.override(zoneinfo.ZoneInfo(club.time_zone)):
        if request.method == "POST":
            try:
                return arrive(request, event, person.pk)
            except ValidationError as error:
                tell(request, error)
            return redirect(request.path)
        held = phones.held(event, phone_of(request))
        if held is not None and held.player_id == person.pk:
            return redirect("league:my_night", pk)
        context = {"event": event, "club": club, "player": person}
        return render(request, "league/nights/my_code.html", context)


def arrive(request: HttpRequest, event: Event, player_id: int) -> HttpResponse:
    """Claim this phone for the player and, while the night is open, check the player in."""
    claim = partial(claims.claim, event=event, player_id=player_id)
    answer = claim_with(request, claim, redirect("league:my_night", event.pk))
    if event.is_open:
        check_in.set_here(request, event, player_id)
    return answer


@require_POST
def find_me(request: ClubRequest, desk: Desk) -> HttpResponse:
    """Claim this phone for a player at the table who tapped their name."""
    player = whole_number(request.POST.get("player"))
    try:
        if player is None:
            raise incomplete_form()
        claim = partial(claims.claim, event=desk.event, player_id=player)
        answer = redirect("league:my_night", desk.event.pk)
        return claim_with(request, claim, answer)
    except ValidationError as error:
        tell(request, error)
    return redirect(desk.here)


@require_POST
@club_view(Right.ORGANISE)
def free_phone(request: ClubRequest, pk: int) -> HttpResponse:
    """End a player's claim as an organiser."""
    event = find_event(request.club, pk)
    player = whole_number(request.POST.get("player"))
    if player is not None and claims.end(event=event, player_id=player, by=request.user):
        messages.success(request, _("The name is free. The right person can tap it now."))
    return redirect("league:check_in", slug=request.club.slug, pk=pk)


def _visitor(request: HttpRequest, event: Event) -> pages.Visitor:
    """Return who looks at the page, by the phone's claim, else by the account; else Http404."""
    club, phone = event.season.club, phone_of(request)
    sees_club = rights.highest(request.user, club) is not None
    claim = None if club.closed_at else phones.held(event, phone)
    player = (claim.player.merged_into or claim.player) if claim else None
    if player is None and sees_club:
        own = my_seat.players_of(club, request.user)
        entrant = event.entrants.filter(player__in=own).select_related("player").first()
        player = entrant.player if entrant else None
    if player is None:
        raise Http404
    return pages.Visitor(
        player=player,
        by=request.user if request.user.is_authenticated else None,
        device=device_of(request),
        phone=phone,
        by_phone=claim is not None,
        sees_club=sees_club,
    )


def _change(request: HttpRequest, event: Event, visitor: pages.Visitor) -> HttpResponse:
    """Apply a tap: check in or out, confirm or dispute a game, or end the claim.

    A captain also sets which team-mates sit in or out.
    """
    player, presence = visitor.player, request.POST.get("presence", "")
    if "mate" in request.POST:
        attendance.set_presence(
            event=event,
            player_ids=[whole_number(request.POST["mate"]) or 0],
            presence=presence,
            by=visitor.by,
            captain=player,
        )
        return redirect("league:my_night", event.pk)
    if presence in Entrant.Presence.values:
        if presence == Entrant.Presence.HERE:
            check_in.set_here(request, event, player.pk)
        else:
            attendance.set_presence(event=event, player_ids=[player.pk], presence=presence, by=None)
    elif "free" in request.POST:
        claims.end(event=event, player_id=player.pk, by=None)
        messages.success(request, _("This phone no longer has a name."))
        return redirect("home")
    else:
        key = whole_number(request.POST.get("game"))
        if (result := pages.my_game(event, player, key)) is None:
            raise incomplete_form()
        _speak(request, visitor, result)
    return redirect("league:my_night", event.pk)


def _keep_name(request: HttpRequest, event: Event, visitor: pages.Visitor) -> HttpResponse:
    """Claim this phone for the player in the season's next night, too."""
    following = pages.next_night(event)
    if following is None or not visitor.by_phone:
        raise incomplete_form()
    claim = partial(claims.claim, event=following, player_id=visitor.player.pk)
    return claim_with(request, claim, redirect("league:my_night", following.pk))


def _speak(request: HttpRequest, visitor: pages.Visitor, result: Result) -> None:
    if "confirm" in request.POST:
        disputes.confirm(
            sitting_id=result.sitting_id,
            game_no=result.game_no,
            version=result.version,
            by=visitor.by,
            device=visitor.device,
        )
        messages.success(request, _("Game %(game)s confirmed.") % {"game": result.game_no})
    elif "dispute" in request.POST:
        disputes.open_dispute(
            sitting_id=result.sitting_id,
            game_no=result.game_no,
            by=visitor.by,
            device=visitor.device,
            kind=kind_of(request),
            note=request.POST.get("note", ""),
            player=visitor.player,
        )
        messages.success(
            request, _("The organisers have your report. Their answer will appear here.")
        )
    else:
        raise incomplete_form()
