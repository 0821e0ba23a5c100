"""The room with its tables, and the page of one table."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from tables import limits
from tables.access import cookie_name, name_of, table_of
from tables.forms import OpenForm
from tables.live import tokens
from tables.refusals import TableRefusal
from tables.services import games, rulesets, seats
from tables.views.base import as_json, no_store, parts
from tables.views.chairs import remember
from tables.views.talk import talk_context


@require_http_methods(["GET", "HEAD", "POST"])
def lobby(request: HttpRequest) -> HttpResponse:
    """Open a table: two taps from the home page to the cards."""
    digest = request.GET.get("rules", "")
    given = rulesets.find(digest) if digest else None
    if digest and given is None:
        raise Http404
    form = OpenForm(request.POST or None, given=given, initial={"name": name_of(request)})
    if request.method == "POST" and form.is_valid():
        try:
            return _open(request, form)
        except TableRefusal as refused:
            form.add_error(None, refused)
    status = 422 if form.is_bound else 200
    return render(request, "tables/lobby.html", {"form": form, "given": given}, status=status)


@require_GET
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Return the table as this visitor sees it.

    It works by reload, and live with JavaScript.
    """
    found = table_of(key)
    context = parts(request, found)
    context["token"] = tokens.make(found, watches=context["own"].seat is None)
    context |= talk_context(request, found, context["own"].seat)
    secret = request.COOKIES.get(cookie_name(key), "")
    if context["own"].seat and secret:
        context["chair_link"] = _link(request, "tables:claim", key, secret)
    return no_store(render(request, "tables/table.html", context))


@require_GET
def view(request: HttpRequest, key: str) -> HttpResponse:
    """Return the same as data, for a page that comes back or has no stream."""
    return as_json(request, table_of(key))


def _open(request: HttpRequest, form: OpenForm) -> HttpResponse:
    limits.check(request, "open")
    data = form.cleaned_data
    opened = seats.open_table(
        ruleset=form.ruleset(),
        players=data["players"],
        move_seconds=int(data["clock"]),
        bank_seconds=60,
        talk=data["talk"],
    )
    user = request.user if request.user.is_authenticated else None
    _seat, token = seats.sit(table_id=opened.pk, no=0, name=data["name"], user=user)
    if data["bots"]:
        seats.fill_with_bots(table_id=opened.pk, bot=data["bots"])
        games.deal_next(table_id=opened.pk)
    return remember(redirect("tables:table", opened.key), opened, token)


def _link(request: HttpRequest, name: str, *args: str) -> str:
    return request.build_absolute_uri(reverse(name, args=args))
