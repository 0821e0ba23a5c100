"""The page of one table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from tables.models import Table
from tables.play.acts import absence
from tables.views.base import as_json, no_store, parts
from tables.views.talk import talk_context, talk_html
from tables.web.access import cookie_name, seat_of, table_of
from tables.web.forms import LATE


@require_GET
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Return the table as this visitor sees it; without JavaScript it updates by reloading.

    The address of friends' first table leads to their newest.
    """
    found = table_of(key)
    if found.status == Table.Status.CLOSED and found.first is None and found.newest != found:
        return redirect("tables:table", found.newest.key)
    context = parts(request, found)
    context["late"] = LATE[found.watch_delay] if found.watch_delay else ""
    context |= talk_context(request, found, context["own"].seat)
    secret = request.COOKIES.get(cookie_name(key), "")
    if context["own"].seat and secret:
        path = reverse("tables:claim", args=[key, secret])
        context["chair_link"] = request.build_absolute_uri(path)
    return no_store(render(request, "tables/table.html", context))


@require_GET
def view(request: HttpRequest, key: str) -> HttpResponse:
    """Return the same as JSON, for a page that reconnects or has no stream.

    A delayed page has no stream, so its answer includes the chat.
    """
    found = table_of(key)
    seat = seat_of(request, found)
    if seat and seat.gone_at:
        absence.note(seat_id=seat.pk, here=True)
        found = table_of(key)
    if seat or not found.watch_delay:
        return as_json(request, found)
    return as_json(request, found, talk=talk_html(request, found, None))
