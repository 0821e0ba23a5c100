"""The lobby: play with anyone at once, or open a table of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.addresses import prefix_of
from accounts.sessions import account_of
from engine.bots import BOTS
from tables.base import rulesets, tokens
from tables.chairs.acts import seats
from tables.live import watching
from tables.models import Table
from tables.people.acts import newcomers
from tables.people.acts.newcomers import Newcomer, Wish
from tables.people.pages import friends, sprints
from tables.people.pages import lobby as lobby_page
from tables.play.acts import games
from tables.play.pages import featured
from tables.refusals import TableRefusal
from tables.reviews.facts import puzzles
from tables.reviews.pages import puzzles as puzzle_pages
from tables.views.chairs import MONTH, remember, remember_device
from tables.web import limits
from tables.web.access import device_of, name_of
from tables.web.forms import ANYONE, NameForm, OpenForm

CHOICE = "choice"
QUICK_CLOCKS = (20, 10)
PRACTICE_CLOCK = 600
"""Seconds per move of a person who practises alone: nobody waits."""
KEPT = ("rules", "players", "clock", "name", "bots", "talk", "delay")
USUAL = {"rules": "mien-nam", "players": 4, "clock": "20", "bots": ANYONE, "talk": Table.Talk.ALL}


@require_http_methods(["GET", "HEAD", "POST"])
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open tables, and open a new one: two taps from the home page to the cards."""
    digest = request.GET.get("rules", "")
    given = rulesets.find(digest) if digest else None
    if digest and given is None:
        raise Http404
    initial = _choice(request)
    if initial["bots"] == ANYONE:  # A table that one opens waits for one's friends.
        initial |= {"bots": ""}
    form = OpenForm(request.POST or None, given=given, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            return _open(request, form)
        except TableRefusal as refused:
            form.add_error(None, refused)
    tables = lobby_page.tables_for_anyone(watching.watchers())
    featured_games, user = featured.featured(tables), request.user
    usual = usual_form(request)
    context = {
        "form": form,
        "given": given,
        "usual": usual,
        "tables": [
            table for table in tables if table.key not in {one.key for one, _game in featured_games}
        ],
        "playing": sum(table.playing for table in tables),
        "last": lobby_page.last_games(request.user, device_of(request)),
        "friends": friends.friends_of(request.user)[:5],
        "featured": featured_games,
        "invites": friends.invites_of(request.user),
        "game": lobby_page.running(request.user, device_of(request)),
        "clocks": [one for one in QUICK_CLOCKS if str(one) != str(usual.cleaned_data["clock"])],
        "sprints": sprints.coming()[:1],
        "puzzle": puzzle_pages.hand_of_day(timezone.localdate()),
        "streak": user.is_authenticated and puzzles.streak_of(user, timezone.localdate()),
    }
    status = 422 if form.is_bound else 200
    return render(request, "tables/lobby.html", context, status=status)


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Seat the visitor, by their last settings, with others who want the same, and with bots.

    With `bots`, open a table for those bots instead, or for friends: they see who invites them, so
    a host without a name is asked for one.
    """
    named = NameForm(request.POST if "name" in request.POST else None)
    nameless = named.is_bound or _choice(request)["name"] == _("Guest")
    if request.POST.get("bots") == "" and nameless and not named.is_valid():
        status = 422 if named.is_bound else 200
        return render(request, "tables/host.html", {"form": named}, status=status)
    try:
        form = usual_form(request, request.POST)
        if "bots" in request.POST:
            return _open(request, form, practises=bool(request.POST["bots"]))
        limits.check(request, "open")
        return _play(request, form)
    except TableRefusal as refused:
        messages.warning(request, refused.text)
        return redirect("tables:lobby")


def _open(request: HttpRequest, form: OpenForm, *, practises: bool = False) -> HttpResponse:
    limits.check(request, "open")
    data = form.cleaned_data
    if data["bots"] == ANYONE:
        return _play(request, form)
    opened = seats.open_table(
        ruleset=form.ruleset(),
        players=data["players"],
        move_seconds=PRACTICE_CLOCK if practises else int(data["clock"]),
        bank_seconds=60,
        talk=data["talk"],
        watch_delay=data["delay"] or Table.WatchDelay.NONE,
    )
    user = account_of(request)
    device = device_of(request) or tokens.new_token()
    token = seats.sit(table_id=opened.pk, no=0, name=data["name"], user=user, device=device)[1]
    if data["bots"]:
        seats.fill_with_bots(table_id=opened.pk, bot=data["bots"])
        games.deal_asked(table_id=opened.pk, fresh=bool(request.POST.get("script")))
    response = remember(redirect("tables:table", opened.key), opened, token)
    return _keep(remember_device(response, device), form)


def _play(request: HttpRequest, form: OpenForm) -> HttpResponse:
    data = form.cleaned_data
    device = device_of(request) or tokens.new_token()
    user = account_of(request)
    bot = data["bots"] if data["bots"] in BOTS else newcomers.USUAL_BOT
    rated = bool(request.POST.get("rated"))
    wish = Wish(form.ruleset(), data["players"], int(data["clock"]), bot, data["talk"], rated)
    who = Newcomer(data["name"], user, device, prefix_of(request))
    table, token = newcomers.seat_newcomer(wish=wish, who=who)
    response = remember(redirect("tables:table", table.key), table, token)
    return _keep(remember_device(response, device), form)


def _choice(request: HttpRequest) -> dict[str, Any]:
    """Return this browser's last settings, or the usual ones."""
    usual = USUAL | {"name": name_of(request)}
    try:
        chosen: dict[str, Any] = signing.loads(request.COOKIES.get(CHOICE, ""), salt=CHOICE)
    except signing.BadSignature:
        return usual
    return usual | chosen


def usual_form(request: HttpRequest, now: Mapping[str, Any] | None = None) -> OpenForm:
    """Return a valid form with this browser's settings of *Play now*, and those chosen `now`."""
    choice = _choice(request)
    choice |= {name: now[name] for name in ("clock", "bots", "name") if now and name in now}
    digest = choice.get("digest")
    form = OpenForm(choice, given=rulesets.find(str(digest)) if digest else None)
    if not form.is_valid():
        form = OpenForm(USUAL | {"name": name_of(request)})
        form.full_clean()
    return form


def _keep(response: HttpResponse, form: OpenForm) -> HttpResponse:
    """Store the chosen settings in this browser for the next time."""
    data = form.cleaned_data
    chosen = {name: data[name] for name in KEPT if name in data}
    if form.given:
        chosen["digest"] = rulesets.freeze(form.given).pk
    response.set_cookie(
        CHOICE,
        signing.dumps(chosen, salt=CHOICE),
        max_age=12 * MONTH,
        path=reverse("tables:lobby"),
        httponly=True,
        samesite="Lax",
    )
    return response
