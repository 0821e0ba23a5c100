"""Checking in by oneself: by the night's link on one's own phone or on a shared tablet."""

from __future__ import annotations

import zoneinfo
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.models import Club, Entrant, Event, Sitting
from league.rights import Right
from league.selectors import events as selector
from league.selectors import live, my_table
from league.services import chairs, events, links
from league.views import guessing
from league.views.base import (
    ClubRequest,
    asked_name,
    club_view,
    event_or_404,
    incomplete_form,
    tell,
)
from league.views.online import chair_link, to_watch
from tables.numbers import whole_number


def check_in(request: HttpRequest, check_in: str) -> HttpResponse:
    """The night's names, and where those sit whom this device checked in.

    A tap says that one is here, and only this device can take it back. With the `version` that a
    page shows the answer is what has changed since, 204 for nothing.
    """
    if guessing.too_many(request):
        return render(request, "league/link_wait.html", status=429)
    link = links.find_check_in(check_in)
    if link is None or link.event is None:
        if not links.is_known(check_in):
            guessing.note_miss(request)
        return render(request, "league/check_in_over.html", status=404)
    with timezone.override(zoneinfo.ZoneInfo(link.club.time_zone)):
        if request.method == "POST":
            try:
                _change(request, link.event)
            except ValidationError as error:
                tell(request, error)
            return redirect(request.path)
        if request.GET.get("version") == str(link.event.version):
            return HttpResponse(status=204)
        template = "league/check_in_by_link.html" + ("#night" if "version" in request.GET else "")
        return render(request, template, _page(request, link.event, link.club))


def _page(request: HttpRequest, event: Event, club: Club) -> dict[str, Any]:
    mine = _mine(request, event)
    seated = live.chairs_of(event, mine)
    tables = my_table.tables_of(event, mine)
    return selector.check_in_page(event) | {
        "event": event,
        "club": club,
        "mine": mine,
        "query": asked_name(request),
        "my_tables": tables,
        "table_numbers": my_table.table_numbers(event),
        "online": {place.entrant_id for _table, place in seated},
        "may_sit": True,
        "to_watch": to_watch(request, event, tables),
        "tables": [
            (place.entrant.player.name, chair_link(request, table, place.entrant_id).url)
            for table, place in seated
            if not place.entrant.player.user_id
        ],
    }


@require_POST
@club_view(Right.ORGANISE)
def renew_link(request: ClubRequest, pk: int) -> HttpResponse:
    """A link by which people check themselves in; one made before stops working."""
    try:
        links.renew_for_check_in(event=event_or_404(request, pk), by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("The link is ready. Send it, or let them scan it."))
    return redirect("league:check_in", slug=request.club.slug, pk=pk)


def _change(request: HttpRequest, event: Event) -> None:
    """Checks one player in, or takes back what this device did."""
    player, mine = whole_number(request.POST.get("player")), _mine(request, event)
    if player is None:
        raise incomplete_form()
    if not event.season.club.players.filter(pk=player, bot="").exists():
        raise incomplete_form()
    if "sit" in request.POST:
        _sit_down(request, event, player)
        return
    back = "back" in request.POST
    if back and player not in mine:
        raise ValidationError(_("Only the phone that checked somebody in can take it back."))
    presence = Entrant.Presence.EXPECTED if back else Entrant.Presence.HERE
    events.set_presence(event=event, player_ids=[player], presence=presence, by=None)
    kept = [known for known in mine if known != player] + ([] if back else [player])
    request.session[f"checked-in-{event.pk}"] = kept[-50:]


def _sit_down(request: HttpRequest, event: Event, player: int) -> None:
    """Seats a player of this device, who waits, at a table with a free chair."""
    sitting = whole_number(request.POST["sit"]) or 0
    entrant = event.entrants.filter(player=player).first()
    known = Sitting.objects.filter(pk=sitting, round__event=event).exists()
    if entrant is None or not known or player not in _mine(request, event):
        raise incomplete_form()
    chairs.take_free_chair(sitting_id=sitting, entrant_id=entrant.pk)


def _mine(request: HttpRequest, event: Event) -> list[int]:
    """The players whom this device checked in."""
    return list(request.session.get(f"checked-in-{event.pk}", []))
