"""The big screen of a night."""

import time
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpResponse, HttpResponseBadRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.base.facts import links
from league.base.lookup import find_event
from league.base.rights import Right, hides_names
from league.base.views.base import ClubRequest, club_view, page
from league.models import Event, SignUp, shown_names
from league.nights import online
from league.nights.online import WallGame
from league.nights.pages.wall import SECONDS, Screen, WallNow, wall_now
from league.nights.pages.wall_before import Before, before_the_draw
from league.nights.views import cached, wall_past
from tables.numbers import whole_number
from tables.web.addresses import Address, address_of

SECONDS_OF_GAME = 2


@dataclass(frozen=True)
class WallPage:
    """A screen of the wall: who comes before the draw, an online game, or a rendered screen.

    `asks` is the caption of the QR code of `address`.
    """

    event: Event
    screen: Screen
    now: WallNow
    before: Before | None = None
    sees_names: bool = False
    asks: str = ""
    address: Address | None = None
    game: WallGame | None = None


@club_view(Right.SEE, of=find_event)
def wall(request: ClubRequest, event: Event) -> HttpResponse:
    """Show arrivals, then the round with its tables, clock and standings, then the podium.

    Sums of money are shown only with `?money`, to those who may see them. With `?obs` it is an
    overlay for a video: no background and no QR code. `&delay` then shows the state of that many
    seconds ago.
    """
    over_video = "&obs" if "obs" in request.GET else ""
    if over_video and "delay" in request.GET:
        return _late(request, event)
    found = _page(request, event, whole_number(request.GET.get("screen")) or 0)
    context = _context(found) | {"over_video": over_video, "past": None}
    context["query"] = over_video + ("&money" if _shows_money(request) else "")
    partial = "#screen" if request.htmx else ""
    return page(request, f"league/nights/wall.html{partial}", context)


def _context(found: WallPage) -> dict[str, Any]:
    return {
        "event": found.event,
        "page": found,
        "screen": found.screen,
        "every": found.now.every,
    }


def _page(request: ClubRequest, event: Event, number: int) -> WallPage:
    """Return the page of screen `number`; an online game takes precedence."""
    found = WallPage(
        event, cached.wall(event, number, sees_money=_shows_money(request)), wall_now(event)
    )
    if found.screen.kind == "nothing" and event.is_open and event.called_off_at is None:
        return _before(request, found, number % cached.MOST_SCREENS)
    if found.screen.kind == "tables":
        asks, address = _code(request, event, is_played=True)
        found = replace(found, asks=asks, address=address)
    hides = shown_names.form() is not None and hides_names(request.club)
    game = online.tables().game_on_wall(event) if event.is_open and not hides else None
    if game is None or found.screen.kind == "ceremony":
        return found
    now = replace(found.now, every=SECONDS_OF_GAME)
    return replace(found, screen=Screen("game", following=number), now=now, game=game)


def _shows_money(request: ClubRequest) -> bool:
    """Return whether the screen was asked for money by who may see it: a room reads along."""
    return "money" in request.GET and request.club.shows_money


def _late(request: ClubRequest, event: Event) -> HttpResponse:
    """Return the delayed overlay for a video; the clock selects its screens."""
    delay = whole_number(request.GET["delay"])
    if delay is None or not 1 <= delay <= wall_past.MOST:
        text = _("The delay is a number of seconds from 1 to %(most)s.") % {"most": wall_past.MOST}
        return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
    number = int(time.time()) // SECONDS

    def draw() -> str:
        context = _context(_page(request, event, number))
        context |= {"club": request.club, "unit": event.season.unit}
        return render_to_string("league/nights/wall_inside.html", context)

    of = f"{event.pk}:{get_language()}:{request.right}:{_shows_money(request)}:{shown_names.form()}"
    context = {
        "event": event,
        "over_video": f"&obs&delay={delay}",
        "query": f"&obs&delay={delay}" + ("&money" if _shows_money(request) else ""),
        "past": wall_past.shown(of, delay, draw),
        "screen": Screen("late"),
        "every": wall_past.STEP,
    }
    partial = "#screen" if request.htmx else ""
    return page(request, f"league/nights/wall.html{partial}", context)


def _before(request: ClubRequest, found: WallPage, number: int) -> WallPage:
    """Return who comes; visitors outside the club see numbers, no names and no secret link."""
    before, screen = before_the_draw(found.event, number), Screen("before")
    sees_names = request.right >= Right.BELONG
    if sees_names:
        part, parts = before.part, before.parts
        screen = Screen("before", part=part, parts=parts, following=part % parts)
    asks, address = _code(request, found.event, is_played=False)
    return replace(
        found, screen=screen, before=before, sees_names=sees_names, asks=asks, address=address
    )


def _code(request: ClubRequest, event: Event, *, is_played: bool) -> tuple[str, Address]:
    """Return the QR code's caption and address; only organisers show a secret link."""
    if request.right >= Right.ORGANISE:
        link, listed = links.of_night(event), SignUp.objects.filter(event=event).first()
        if link is not None:
            asks = _("Scan and tap your name. No account needed.")
            if is_played:
                asks = _("Scan, tap your name, enter your table's games.")
            elif event.days_ahead > 0 and listed is not None and not listed.is_over:
                asks = _("Scan and say if you're coming. No account needed.")
            return asks, address_of(request, reverse("league:link_night", args=[link.secret]))
    path = reverse("league:event", args=[request.club.slug, event.pk])
    return _("Scan to follow the night on your phone."), address_of(request, path)
