"""A table of a round and the visitor's rights there, reached by account or by secret link."""

import functools
import zoneinfo
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from league.base import rights
from league.base.acts import links
from league.base.lookup import find_event, find_sitting
from league.base.rights import Right
from league.base.views import guessing, phones
from league.base.views.base import ClubRequest, View, club_view
from league.nights.facts import silent_phones
from league.nights.facts.night import Night
from league.nights.facts.viewer import Viewer
from league.nights.pages.desk import Desk
from league.nights.views import night_links
from league.nights.views.viewers import viewer_of
from tables.web.scripts import is_script

DeskView = Callable[..., HttpResponse]


def at_table(view: DeskView, *, to_post: Right = Right.SCORE) -> View:
    """Wrap a view of a table that the URL names.

    `to_post` is the right needed for a POST.
    """

    @club_view(Right.SEE, to_post=to_post)
    @functools.wraps(view)
    def wrapped(
        request: ClubRequest, pk: int, number: int, table_no: int, **kwargs: Any
    ) -> HttpResponse:
        event = find_event(request.club, pk)
        enters = is_script(request) and request.right >= Right.SCORE
        if enters and (told := night_links.stopped(request, event, number)):
            return told
        sitting = find_sitting(event, number, table_no)
        here = reverse("league:table", args=[request.club.slug, pk, number, table_no])
        return view(request, Desk(viewer_of(request, event), sitting, here), **kwargs)

    return wrapped


def by_link(view: DeskView, *, late: bool = False) -> View:
    """Wrap a view of a table that a secret link names; it needs no account.

    An ended link's page says why, and a visitor who tries many unknown ones has to wait. After the
    night the link shows the result. It holds all night: the URL of an earlier round redirects to
    the current table unless the view may be `late`, for games that a phone stored while it was
    offline.
    """

    @functools.wraps(view)
    def wrapped(
        request: ClubRequest, secret: str, number: int | None = None, **kwargs: Any
    ) -> HttpResponse:
        if guessing.too_many(request):
            return night_links.wait(request)
        table = links.find_table(secret)
        if table is None:
            return night_links.ended(request, secret, number)
        if not table.event.is_open:
            here = reverse("league:link_table", args=[secret])
            is_page = request.resolver_match and request.resolver_match.url_name == "link_table"
            return night_links.after(request, table.event, here) if is_page else redirect(here)
        request.club = table.link.club
        request.right = rights.highest(request.user, table.link.club) or Right.SEE
        sitting = now = table.now
        if number is not None and (now is None or now.round.number != number):
            sitting = table.sitting(number)
            told = night_links.stopped(request, table.event, number) if is_script(request) else None
            if sitting is None and told:
                return told
            if sitting is None or not late:
                return _leads(request, redirect("league:link_table", secret))
        if sitting is None:  # Nobody plays here now.
            return _leads(request, night_links.to_night(table.event))
        is_past = sitting is not now
        phone, (name, new) = phones.phone_of(request), phones.named(request)
        is_new = request.method == "POST" and not (phone or request.user.is_authenticated)
        viewer = Viewer(Night(table.event), request.right, request.user, new if is_new else phone)
        desk = Desk(
            viewer,
            sitting,
            reverse("league:link_table", args=[secret, sitting.round.number]),
            link=table.link,
            moved_to=reverse("league:link_table", args=[secret]) if is_past else "",
            lies_here=phones.lies_on_table(request, table.link.club),
        )
        silent_phones.hear(table.event, viewer.device, phone)
        with timezone.override(zoneinfo.ZoneInfo(table.link.club.time_zone)):
            answer = view(request, desk, **kwargs)
        if is_new and phones.COOKIE not in answer.cookies:
            phones.remember(answer, name)
        return answer

    return wrapped


def _leads(request: ClubRequest, way: HttpResponse) -> HttpResponse:
    """Return the way to another page; a script, which follows none, gets a 404."""
    if is_script(request):
        raise Http404
    return way
