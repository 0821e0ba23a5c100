"""A table of a round as a page handles it, reached with an account or by the table's own link."""

from __future__ import annotations

import functools
import secrets
import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from league import rights
from league.models import Event, Link, Sitting
from league.rights import Right
from league.services import links
from league.views import guessing
from league.views.base import ClubRequest, View, club_view, event_or_404, sitting_or_404

DeskView = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Desk:
    """A table, its page's address, and what the visitor may do there.

    `by` is who signed in, `device` the visitor's phone, `link` the table's link if that led here.
    """

    event: Event
    sitting: Sitting
    here: str
    by: User | None
    device: str
    may_enter: bool
    may_speak: bool
    link: Link | None = None


def at_table(view: DeskView, *, to_post: Right = Right.SCORE) -> View:
    """The view at a table that the address names; `to_post` is the right to send something."""

    @club_view(Right.SEE, to_post=to_post)
    @functools.wraps(view)
    def wrapped(
        request: ClubRequest, pk: int, number: int, table_no: int, **kwargs: Any
    ) -> HttpResponse:
        event = event_or_404(request, pk)
        sitting = sitting_or_404(request, event, number, table_no)
        desk = Desk(
            event=event,
            sitting=sitting,
            here=reverse("league:table", args=[request.club.slug, pk, number, table_no]),
            by=request.user if request.user.is_authenticated else None,
            device=_device(request),
            may_enter=event.is_open and request.right >= Right.SCORE,
            may_speak=event.is_open and request.right >= Right.BELONG,
        )
        return view(request, desk, **kwargs)

    return wrapped


def by_link(view: DeskView) -> View:
    """The view at the table whose secret link the address holds; no account needed.

    Where the link is over the page says so; who tries many unknown ones has to wait.
    """

    @functools.wraps(view)
    def wrapped(request: ClubRequest, secret: str, **kwargs: Any) -> HttpResponse:
        if guessing.too_many(request):
            return render(request, "league/link_wait.html", status=429)
        link = links.find_table(secret)
        if link is None or link.sitting is None:
            if not links.is_known(secret):
                guessing.note_miss(request)
            return render(request, "league/link_over.html", status=404)
        request.club = link.club
        request.right = rights.highest(request.user, link.club) or Right.SEE
        desk = Desk(
            event=link.sitting.round.event,
            sitting=link.sitting,
            here=reverse("league:link_table", args=[secret]),
            by=request.user if request.user.is_authenticated else None,
            device=_device(request),
            may_enter=True,
            may_speak=True,
            link=link,
        )
        with timezone.override(zoneinfo.ZoneInfo(link.club.time_zone)):
            return view(request, desk, **kwargs)

    return wrapped


def _device(request: ClubRequest) -> str:
    """The visitor's phone, where nobody signed in: a random name kept in the session."""
    if request.user.is_authenticated:
        return ""
    if request.method == "POST" and "device" not in request.session:
        request.session["device"] = secrets.token_hex(8)
    return str(request.session.get("device", ""))
