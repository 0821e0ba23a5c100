"""Pages that all links of a night share: for a closed night, and for a link that has ended."""

from __future__ import annotations

import zoneinfo
from functools import partial

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.base import rights
from league.base.acts import links
from league.base.acts.links import Ended
from league.base.views import guessing
from league.base.views.base import incomplete_form, is_script, tell
from league.base.views.phones import claim_with, is_shared, phone_of
from league.models import Event
from league.nights.acts import claims
from league.nights.facts import claims as phones
from league.nights.pages import after_night
from tables.numbers import whole_number


def ended(request: HttpRequest, secret: str) -> HttpResponse:
    """Say why a link no longer works and what to do; an unknown link counts as a guess."""
    why = links.why_ended(secret)
    if why is Ended.UNKNOWN:
        guessing.note_miss(request)
    ask = _("Ask the organiser for tonight's link.")
    title, text = {
        Ended.UNKNOWN: (_("There is no such link."), ask),
        Ended.REPLACED: (_("An organiser has replaced this link."), ask),
        Ended.EXPIRED: (_("This link has expired."), ask),
        Ended.NIGHT_DELETED: (_("An organiser has deleted this night."), ask),
        Ended.CLUB_CLOSED: (_("This club is closed."), _("Its links no longer work.")),
    }[why]
    if is_script(request):
        return JsonResponse({"code": "ended", "message": f"{title} {text}"}, status=404)
    context = {"title": title, "text": text}
    return render(request, "league/nights/link_over.html", context, status=404)


def after(request: HttpRequest, event: Event, here: str) -> HttpResponse:
    """Show a closed night's result by its link at `here`, and a claimed phone's own debts.

    An unclaimed phone can be claimed with one tap.
    """
    if is_script(request):
        if request.method == "GET":
            return JsonResponse({"moved": here})
        text = _("%(name)s is closed. Ask an organiser to reopen it, then send the game again.")
        refused = {"code": "closed", "message": text % {"name": event.name}}
        return JsonResponse(refused, status=409)
    with timezone.override(zoneinfo.ZoneInfo(event.season.club.time_zone)):
        if request.method == "POST":
            return _claim(request, event, here)
        own = phones.held(event, phone_of(request))
        may_claim = own is None and not is_shared(request, event.season.club)
        context = {
            "event": event,
            "club": event.season.club,
            "own": own,
            "sees_club": rights.highest(request.user, event.season.club) is not None,
            **vars(after_night.after_night(event, own, may_claim=may_claim)),
        }
        return render(request, "league/nights/link_after.html", context)


def _claim(request: HttpRequest, event: Event, here: str) -> HttpResponse:
    """Claim the phone for the player who tapped their name."""
    player = whole_number(request.POST.get("me"))
    try:
        if player is None:
            raise incomplete_form()
        claim = partial(claims.claim, event=event, player_id=player)
        return claim_with(request, claim, redirect("league:my_night", event.pk))
    except ValidationError as error:
        tell(request, error)
    return redirect(here)
