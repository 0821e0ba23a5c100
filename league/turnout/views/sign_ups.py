"""The sign-up list as organisers manage it."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.base.acts import locks
from league.base.facts import links
from league.base.lookup import find_event, first_or_404
from league.base.page_parts import Tab
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    asked_name,
    atomic_post,
    club_view,
    form_status,
    page,
    telling,
)
from league.models import Event, Player, SignUp
from league.models.sign_up import MOST_GUESTS
from league.nights.facts import last_changes
from league.nights.facts.events import outside_season
from league.turnout.acts import sign_ups
from league.turnout.forms import SignUpForm
from league.turnout.pages import sign_ups as selector
from league.turnout.views import night_link
from tables.numbers import whole_number
from tables.web.addresses import address_of


@club_view(Right.ORGANISE, of=find_event)
@atomic_post
def sign_up(request: ClubRequest, event: Event) -> HttpResponse:
    """Open or change the night's list, and see its answers."""
    if request.method == "POST":
        locks.event(event.pk)
    found = SignUp.objects.select_related("event__season__club").filter(event=event).first()
    initial = {"places": found.places, "closes_at": found.closes_at} if found else {}
    form = SignUpForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with telling(request, _("Saved.") if found else _("The list is open."), form):
            sign_ups.open_list(event=event, by=request.user, **form.cleaned_data)
            return redirect("league:sign_up", slug=request.club.slug, pk=event.pk)
    context: dict[str, Any] = {
        "event": event,
        "sign_up": found,
        "form": form,
        "query": asked_name(request),
        "guest_numbers": range(MOST_GUESTS + 1),
    }
    if found is not None:
        context["new_names"] = list(found.waiting_names.all())
        context["page"] = shown = selector.sign_up_page(found)
        context["sentences"] = shown.sentences  # The preview of its link says them, too.
        context["may_message"] = event.is_open and bool(shown.silent)
        if (link := links.of_night(event)) is not None:
            address = address_of(request, reverse("league:link_night", args=[link.secret]))
            offered = _texts(shown.silent)
            asked = request.GET.get("text", "")
            which = asked if asked in offered else selector.INVITE
            texts = [Tab(words, f"?text={key}", key == which) for key, words in offered.items()]
            post = selector.for_the_group(which, found, shown, address.url)
            context |= {"address": address, "texts": texts, "post": post}
            context["may_message"] &= which == selector.ASK
        last = last_changes.find_last(event, ["sign_up.asked"])
        context["messaged_at"] = last_changes.when(last) if last else ""
        context["asked"] = _asked(request, shown.silent)
    return page(request, "league/turnout/sign_up.html", context, form_status(form))


def _texts(silent: Sequence[Player]) -> dict[str, str]:
    """Return the texts to post: nobody is asked by name once all have answered."""
    asks = {selector.ASK: _("Remind")} if silent else {}
    return {selector.INVITE: _("Invite")} | asks | {selector.LIST: _("List")}


def _asked(request: ClubRequest, silent: Sequence[Player]) -> Player | None:
    """Return the person whose answer an organiser is about to note."""
    key = whole_number(request.GET.get("player"))
    return next((player for player in silent if player.pk == key), None)


@require_POST
@club_view(Right.ORGANISE)
def event_again(request: ClubRequest, pk: int) -> HttpResponse:
    """Plan the same night for next week."""
    with telling(request):
        made = sign_ups.repeat_night(event=find_event(request.club, pk), by=request.user)
        messages.success(request, _("%(name)s is planned.") % {"name": made.name})
        if outside := outside_season(made):
            messages.warning(request, outside)
        return redirect("league:event", slug=request.club.slug, pk=made.pk)
    return redirect("league:event", slug=request.club.slug, pk=pk)


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def sign_up_answer(request: ClubRequest, event: Event) -> HttpResponse:
    """Answer for a player as an organiser, or free a name for another phone."""
    found = first_or_404(SignUp.objects.filter(event=event).select_related("event__season__club"))
    with telling(request):
        if "free" in request.POST:
            player = whole_number(request.POST["free"]) or 0
            sign_ups.free_answer(sign_up=found, player_id=player, by=request.user)
            messages.success(request, _("Another phone may now answer."))
        elif "waiting" in request.POST:
            takes = request.POST["waiting"] == "take"
            count = sign_ups.settle_waiting(sign_up=found, by=request.user, takes=takes)
            text = ngettext("%(n)s name taken.", "%(n)s names taken.", count) % {"n": count}
            messages.success(request, text if takes else _("Thrown away."))
        elif alike := night_link.alike(request, found):
            return night_link.ask_who(request, found, alike)
        else:
            said = night_link.say(request, found, organises=True)
            messages.success(request, night_link.sentence_of(said) if said else _("Saved."))
    return redirect("league:sign_up", slug=request.club.slug, pk=event.pk)
