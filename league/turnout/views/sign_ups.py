"""The sign-up list: by its link on any phone, and as organisers manage it."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from league.base.acts import links
from league.base.facts.next_nights import coming_at
from league.base.lookup import find_event, first_or_404
from league.base.rights import Right
from league.base.views import guessing, phones
from league.base.views.base import (
    ClubRequest,
    add_errors,
    asked_name,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.clubs.acts import players
from league.models import Player, SignUp, SignUpAnswer
from league.models.sign_up import MOST_GUESTS
from league.nights.acts import claims
from league.nights.facts import claims as claimed_phones
from league.nights.pages import my_seat
from league.nights.views import night_links
from league.nights.views.my_night import arrive
from league.turnout.acts import sign_ups
from league.turnout.forms import SignUpForm
from league.turnout.pages import sign_ups as selector
from tables.numbers import whole_number
from tables.web.addresses import address_of


def by_link(request: HttpRequest, sign_up: str) -> HttpResponse:
    """Show the list to anyone with its link; a POST stores an answer."""
    if guessing.too_many(request):
        return render(request, "league/nights/link_wait.html", status=429)
    found = sign_ups.find(sign_up)
    if found is None:
        return night_links.ended(request, sign_up)
    if not found.event.is_open:
        return night_links.after(request, found.event, request.path)
    with timezone.override(zoneinfo.ZoneInfo(found.event.season.club.time_zone)):
        if request.method == "POST":
            return _answered(request, found)
        return render(request, "league/turnout/by_link.html", _link_page(request, found))


def _answered(request: HttpRequest, sign_up: SignUp) -> HttpResponse:
    """Check a player in, or store an answer.

    A phone claims the first name for which it answers.
    """
    event = sign_up.event
    is_shared = phones.is_shared(request, event.season.club)
    name, device = phones.named(request)
    response = redirect(request.path)
    known = claimed_phones.known_player(event, device)
    is_free = claimed_phones.held(event, device) is None
    try:
        if "here" in request.POST:
            player = _player(sign_up, request.POST["here"])
            if player is None or is_shared:
                raise incomplete_form()
            return arrive(request, event, player.pk)
        if alike := _alike(request, sign_up):
            return _ask_who(request, sign_up, alike)
        said = _say(request, sign_up, device=device)
        if is_free and known in (None, said.player_id) and not is_shared:
            claims.claim(event=event, player_id=said.player_id, phone=device)
    except ValidationError as error:
        tell(request, error)
    else:
        phones.remember(response, name)
        messages.success(request, sentence_of(said))
    return response


def _say(
    request: HttpRequest, sign_up: SignUp, *, device: str = "", organises: bool = False
) -> SignUpAnswer:
    """Store the form's reply for the player whom it names by key or by a typed name."""
    guests = whole_number(request.POST.get("guests", "0"))
    if guests is None:
        raise incomplete_form()
    said: sign_ups.ReplyFields = {
        "sign_up": sign_up,
        "reply": request.POST.get("reply", ""),
        "guests": guests,
        "by": request.user if isinstance(request.user, User) else None,
        "device": device,
        "organises": organises,
    }
    if request.POST.get("name", "").strip():
        return sign_ups.answer_as(name=request.POST["name"], **said)
    player = _player(sign_up, request.POST.get("player"))
    if player is None:
        raise incomplete_form()
    return sign_ups.answer(player=player, **said)


def _alike(request: HttpRequest, sign_up: SignUp) -> list[Player]:
    """Return players with names like the typed one; none once it is marked as new."""
    name = request.POST.get("name", "")
    if not name.strip() or "new" in request.POST:
        return []
    return players.alike(club=sign_up.event.season.club, name=name)


def _ask_who(request: HttpRequest, sign_up: SignUp, alike: list[Player]) -> HttpResponse:
    """Ask which of these players it is, or whether it is a new one; each answer is one tap."""
    event = sign_up.event
    context = {"event": event, "club": event.season.club, "alike": alike, "said": request.POST}
    return render(request, "league/turnout/who.html", context, status=409)


def _player(sign_up: SignUp, key: str | None) -> Player | None:
    people = sign_up.event.season.club.players.people()
    return people.filter(pk=whole_number(key) or 0).first()


def sentence_of(said: SignUpAnswer) -> str:
    """Return the stored answer in words."""
    name = {"name": said.player.name}
    if said.reply == SignUpAnswer.Reply.MAYBE:
        return _("%(name)s: maybe.") % name
    if said.reply == SignUpAnswer.Reply.NO:
        return _("%(name)s is not coming.") % name
    if said.is_in:
        return _("%(name)s is coming.") % name
    return _("%(name)s is on the waiting list and moves up automatically.") % name


def _link_page(request: HttpRequest, sign_up: SignUp) -> dict[str, Any]:
    event, device = sign_up.event, phones.phone_of(request)
    asked = _player(sign_up, request.GET.get("player"))
    claim = claimed_phones.held(event, device)
    mine = selector.mine(sign_up, device=device, user=request.user, asked=asked, claim=claim)
    arrives = my_seat.doors_are_open(event)
    may_claim = arrives and claim is None and not phones.is_shared(request, event.season.club)
    return vars(selector.sign_up_page(sign_up)) | {
        "sign_up": sign_up,
        "event": event,
        "club": event.season.club,
        "mine": mine,
        "taken": asked is not None and asked.pk not in {each.player.pk for each in mine},
        "asked": asked,
        "has_begun": sign_ups.has_begun(event),
        "next_step": my_seat.next_step(event, claim) if claim and arrives else None,
        "arriving": selector.arriving(sign_up) if may_claim else [],
        "known": claimed_phones.known_player(event, device) if may_claim else None,
        "query": asked_name(request),
        "guest_numbers": range(MOST_GUESTS + 1),
    }


@club_view(Right.ORGANISE)
def sign_up(request: ClubRequest, pk: int) -> HttpResponse:
    """Open or change the night's list, and see its answers."""
    event = find_event(request.club, pk)
    found = SignUp.objects.select_related("event__season__club").filter(event=event).first()
    initial = {"places": found.places, "closes_at": found.closes_at} if found else {}
    form = SignUpForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            sign_ups.open_list(event=event, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Saved.") if found else _("The list is open."))
            return redirect("league:sign_up", slug=request.club.slug, pk=pk)
    context: dict[str, Any] = {
        "event": event,
        "sign_up": found,
        "form": form,
        "query": asked_name(request),
        "guest_numbers": range(MOST_GUESTS + 1),
    }
    if found is not None:
        context |= vars(selector.sign_up_page(found))
        if (link := sign_ups.link_of(event)) is not None:
            address = address_of(request, reverse("league:link_sign_up", args=[link.secret]))
            words = selector.sentences(coming_at([event])[event.pk], found.places, event.full_table)
            post = selector.invitation(event, words, address.url)
            context |= {"address": address, "post": post}
    return page(request, "league/turnout/sign_up.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def sign_up_answer(request: ClubRequest, pk: int) -> HttpResponse:
    """Answer for a player as an organiser, or free a name for another phone."""
    event = find_event(request.club, pk)
    found = first_or_404(SignUp.objects.filter(event=event).select_related("event__season__club"))
    try:
        if "free" in request.POST:
            player = _player(found, request.POST["free"])
            if player is None:
                raise incomplete_form()
            sign_ups.free_answer(sign_up=found, player_id=player.pk, by=request.user)
            messages.success(request, _("Another phone may now answer."))
        elif alike := _alike(request, found):
            return _ask_who(request, found, alike)
        else:
            said = _say(request, found, organises=True)
            messages.success(request, sentence_of(said))
    except ValidationError as error:
        tell(request, error)
    return redirect("league:sign_up", slug=request.club.slug, pk=pk)


@require_POST
@club_view(Right.ORGANISE)
def sign_up_link(request: ClubRequest, pk: int) -> HttpResponse:
    """Replace the link; the posted one stops working."""
    event = find_event(request.club, pk)
    first_or_404(SignUp.objects.filter(event=event))
    try:
        links.renew_for_sign_up(event=event, by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("The link is ready. Post it in your group."))
    return redirect("league:sign_up", slug=request.club.slug, pk=pk)
