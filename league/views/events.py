"""An event: its home with rounds and standings, check-in, money, the wall."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.domain.scoring import Scoring
from league.forms import EventForm, EventSettingsForm, GuestForm
from league.models import Entrant, Event
from league.rights import Right
from league.selectors import events as selector
from league.selectors import live, money, my_table, runs, standings
from league.selectors.wall import wall_page
from league.services import events, links
from league.services import live as live_tables
from league.views.addresses import address_of
from league.views.base import (
    ClubRequest,
    add_errors,
    asked_name,
    club_view,
    event_or_404,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.views.money import money_context
from league.views.online import to_watch
from league.views.seasons import season_or_404
from league.views.undo import tell_done
from tables.numbers import whole_number


@club_view(Right.ORGANISE)
def event_create(request: ClubRequest, pk: int) -> HttpResponse:
    season = season_or_404(request, pk)
    rules = Scoring.from_json(season.scoring)
    initial = {
        "name": _("Night %(number)s") % {"number": season.events.count() + 1},
        "counting": rules.counting,
        "games_per_round": rules.games_per_round,
    }
    betting = season.ruleset.body.get("betting", "none")
    form = EventForm(request.POST or None, initial=initial, betting=betting)
    if request.method == "POST" and form.is_valid():
        try:
            event = events.create_event(season=season, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            return redirect("league:check_in", slug=request.club.slug, pk=event.pk)
    context = {"season": season, "form": form}
    return page(request, "league/event_create.html", context, form_status(form))


@club_view(Right.SEE)
def event(request: ClubRequest, pk: int) -> HttpResponse:
    """Rounds, standings and the next thing to do."""
    found = event_or_404(request, pk)
    if found.run is not None:
        return page(request, "league/event.html", {"event": found} | runs.run_page(found))
    return page(request, "league/event.html", _event_context(request, found))


@club_view(Right.SEE)
def event_live(request: ClubRequest, pk: int) -> HttpResponse:
    """The part of the event's page that changes; 204 while nothing has."""
    found = event_or_404(request, pk)
    if request.GET.get("version") == str(found.version):
        return HttpResponse(status=204)
    return page(request, "league/event.html#live", _event_context(request, found))


def _event_context(request: ClubRequest, event: Event) -> dict[str, Any]:
    """The night, and where the visitor's own players sit."""
    drafts = request.right >= Right.ORGANISE
    context = {"event": event} | selector.event_page(event, with_drafts=drafts)
    key = live.table_of_user(event, request.user)
    own = [] if key else my_table.players_of(request.club, request.user)
    mine = my_table.tables_of(event, own)
    watch = to_watch(request, event, mine)
    return context | {"my_table": key, "my_tables": mine, "online": set(), "to_watch": watch}


@club_view(Right.SEE)
def explain(request: ClubRequest, pk: int, player: int) -> HttpResponse:
    """The sum behind one row of the event's standings."""
    found = event_or_404(request, pk)
    standing = next((s for s in standings.event_standings(found) if s.player.pk == player), None)
    if standing is None:
        raise Http404
    return page(request, "league/explain.html", {"event": found, "standing": standing})


@club_view(Right.ORGANISE)
def check_in(request: ClubRequest, pk: int) -> HttpResponse:
    """Who is here tonight: one tap for each."""
    found = event_or_404(request, pk)
    done: dict[str, Any] | None = None
    if request.method == "POST":
        presence = request.POST.get("presence", "")
        ids = {whole_number(key) for key in request.POST.getlist("player")}
        try:
            if presence not in Entrant.Presence.values or not ids or None in ids:
                raise incomplete_form()
            players = {key for key in ids if key is not None}
            before = selector.presences(found, players)
            events.set_presence(event=found, player_ids=players, presence=presence, by=request.user)
            done = _presence_done(request, found, before, presence)
        except ValidationError as error:
            tell(request, error)
        if not request.htmx:
            if done and "undo" not in request.POST:
                tell_done(request, done["text"], request.path, done["fields"])
            return redirect("league:check_in", slug=request.club.slug, pk=pk)
    context = _check_in_context(request, found, GuestForm()) | {"done": done}
    partial = "#people" if request.htmx else ""
    return page(request, f"league/check_in.html{partial}", context)


def _check_in_context(request: ClubRequest, event: Event, guest: GuestForm) -> dict[str, Any]:
    context = {"event": event, "guest": guest, "query": asked_name(request)}
    context |= selector.check_in_page(event)
    if (link := event.links.alive().first()) is not None:
        path = reverse("league:link_check_in", args=[links.secret_of(link)])
        context["address"] = address_of(request, path)
    return context


def _presence_done(
    request: ClubRequest, event: Event, before: dict[int, str], presence: str
) -> dict[str, Any]:
    """What a tap on names did, in words, and the fields of the form that takes it back."""
    if "undo" in request.POST:
        return {"text": _("Taken back."), "fields": []}
    text = ngettext("%(n)s player checked in.", "%(n)s players checked in.", len(before))
    if len(before) == 1:
        text = _("%(name)s is here.") if presence == Entrant.Presence.HERE else _("%(name)s left.")
    name = event.season.club.players.values_list("name", flat=True).get(pk=min(before))
    earlier = set(before.values())
    fields = [("undo", "1"), ("presence", min(earlier)), *(("player", key) for key in before)]
    return {
        "text": text % {"n": len(before), "name": name},
        "fields": fields if len(earlier) == 1 else [],
    }


@require_POST
@club_view(Right.ORGANISE)
def guest(request: ClubRequest, pk: int) -> HttpResponse:
    """Somebody who walked in."""
    found = event_or_404(request, pk)
    form = GuestForm(request.POST)
    if form.is_valid():
        try:
            entrant = events.add_guest(event=found, name=form.cleaned_data["name"], by=request.user)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("%(name)s is here.") % {"name": entrant.player.name})
            return redirect("league:check_in", slug=request.club.slug, pk=pk)
    context = _check_in_context(request, found, form)
    return page(request, "league/check_in.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def event_status(request: ClubRequest, pk: int) -> HttpResponse:
    """Closes or reopens the event."""
    found = event_or_404(request, pk)
    try:
        if request.POST.get("status") == Event.Status.OPEN:
            events.reopen_event(event=found, by=request.user)
        else:
            anyway = request.POST.get("anyway") == "1"
            live_tables.sweep(event=found)
            events.close_event(event=found, by=request.user, despite_unfinished=anyway)
            text = _("%(name)s is closed.") % {"name": found.name}
            tell_done(request, text, request.path, [("status", Event.Status.OPEN)])
    except ValidationError as error:
        if getattr(error, "code", "") == "unfinished":
            context = {"event": found, "problem": error.messages[0]}
            return page(request, "league/close_anyway.html", context, 409)
        tell(request, error)
    return redirect("league:event", slug=request.club.slug, pk=pk)


@club_view(Right.ORGANISE)
def event_settings(request: ClubRequest, pk: int) -> HttpResponse:
    """What may still change once the night has begun."""
    found = event_or_404(request, pk)
    names = ("name", "date", "rounds_planned", "confirmed_by", "round_minutes", "format")
    initial = {name: getattr(found, name) for name in names}
    form = EventSettingsForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            events.change_settings(event=found, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("league:event", slug=request.club.slug, pk=pk)
    context = {"event": found, "form": form}
    return page(request, "league/event_settings.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def event_again(request: ClubRequest, pk: int) -> HttpResponse:
    """The same night again next week."""
    try:
        made = events.repeat_event(event=event_or_404(request, pk), by=request.user)
    except ValidationError as error:
        tell(request, error)
        return redirect("league:event", slug=request.club.slug, pk=pk)
    messages.success(request, _("%(name)s is planned.") % {"name": made.name})
    return redirect("league:event", slug=request.club.slug, pk=made.pk)


@club_view(Right.SEE)
def event_money(request: ClubRequest, pk: int) -> HttpResponse:
    """Who owes whom tonight, and every transfer with its reason."""
    found = event_or_404(request, pk)
    context = {
        "event": found,
        **money_context(request, found.money_tallies.all(), found.transfers.all()),
    }
    return page(request, "league/event_money.html", context)


@club_view(Right.SEE)
def event_share(request: ClubRequest, pk: int) -> HttpResponse:
    """The night's result as a text for the group chat."""
    found = event_or_404(request, pk)
    path = reverse("league:event", args=[request.club.slug, pk])
    context = {
        "event": found,
        "standings": [row for row in standings.event_standings(found) if row.row.games],
        "payments": money.money_page(found.money_tallies.all()).payments if found.stake else [],
        "address": address_of(request, path).url if request.club.is_public else "",
    }
    return page(request, "league/event_share.html", context)


@club_view(Right.SEE)
def wall(request: ClubRequest, pk: int) -> HttpResponse:
    """For a screen on the wall: seating, the clock and standings in turn, by itself."""
    found = event_or_404(request, pk)
    context = wall_page(found, whole_number(request.GET.get("screen")) or 0)
    partial = "#screen" if request.htmx else ""
    return page(request, f"league/wall.html{partial}", {"event": found} | context)
