"""The page of one table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET

from tables.base.tokens import hash_of
from tables.models import Table
from tables.play.acts import absence
from tables.play.facts import positions
from tables.views import plain
from tables.views.base import as_json, no_store, parts
from tables.views.talk import talk_context, talk_html
from tables.web import old_pages
from tables.web.access import cookie_name, seat_of, table_of
from tables.web.addresses import address_of
from tables.web.forms import LATE
from tables.web.scripts import wants_json


@require_GET
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Return the table as this visitor sees it; without JavaScript it updates by reloading.

    The address of friends' first table leads to their newest. The script of an old page, which was
    redirected here, opens it itself: what is to be said there once is left for that.
    """
    if wants_json(request):
        return HttpResponse(status=204)
    found = table_of(key)
    if found.status == Table.Status.CLOSED and found.first is None and found.newest != found:
        return redirect("tables:table", found.newest.key)
    secret = request.COOKIES.get(cookie_name(key), "")
    if secret and seat_of(request, found) is None:
        found = taken_back(found, secret)
    if plain.is_plain(request):
        return plain.page(request, found)
    context = parts(request, found)
    context["late"] = LATE[found.watch_delay] if found.watch_delay else ""
    context |= talk_context(request, found, context["own"].seat)
    if context["own"].seat and secret:
        path = reverse("tables:claim", args=[key, secret])
        context["chair_link"] = address_of(request, path).url
    return no_store(render(request, "tables/table.html", context))


def taken_back(found: Table, secret: str) -> Table:
    """Return the table, after its seat was taken back by the browser that held it before."""
    formers = {seat.former for seat in positions.of(found).seats.values()}
    if hash_of(secret) in formers and absence.take_back(table_id=found.pk, token=secret):
        return table_of(found.key)
    return found


@require_GET
def view(request: HttpRequest, key: str) -> HttpResponse:
    """Return the same as JSON, for a page that reconnects or has no stream.

    A delayed page has no stream, so its answer includes the chat.
    """
    found = table_of(key)
    page = reverse("tables:table", args=[key])
    if old_pages.is_old(request, page):
        if old_pages.has_asked(request, page) and old_pages.is_next():
            return _renewal(found)
        nothing = HttpResponse(status=204)
        old_pages.note_renewed(nothing, page, old_pages.ASKED)
        return nothing
    seat = seat_of(request, found)
    if seat and seat.gone_at:
        absence.note(seat_id=seat.pk, here=True)
        found = table_of(key)
    if request.GET.get(plain.LOOK) == plain.PLAIN:
        return plain.as_json(request, found)
    if seat or not found.watch_delay:
        return as_json(request, found)
    return as_json(request, found, talk=talk_html(request, found, None))


def _renewal(table: Table) -> HttpResponse:
    """Return a board that opens the page again, in the parts that the script of an old page reads.

    What it would draw of ours stops it: of 574bd93's board it wants the plates.
    """
    page = reverse("tables:table", args=[table.key])
    version = old_pages.NEWEST
    board = render_to_string("tables/renewal.html", {"version": version, "page": page})
    answer = JsonResponse(
        {"version": version, "left": None, "board": board, "own": "", "token": ""}
    )
    old_pages.note_renewed(answer, page)
    return no_store(answer)
