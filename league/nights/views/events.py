"""An event: its page with rounds and standings, check-in, settings, status."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.base import texts
from league.base.facts import links
from league.base.lookup import find_event
from league.base.page_parts import MenuRow
from league.base.pages.address import address
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    asked_name,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
    telling,
)
from league.base.views.undo import tell_done
from league.clubs.acts import players
from league.models import Entrant, Event, Player
from league.money.facts import open_debts
from league.nights import online
from league.nights.acts import attendance, closing, night_settings, roll_calls
from league.nights.facts import events as selector
from league.nights.facts import (
    final_places,
    last_changes,
    online_tables,
    silent_phones,
)
from league.nights.facts.night import Night
from league.nights.facts.progress import progress_now
from league.nights.facts.viewer import Viewer
from league.nights.forms.crossed import settings_crossed
from league.nights.forms.events import GuestForm, NightSettingsForm
from league.nights.pages import (
    calls,
    check_in_page,
    my_seat,
    night_page,
    night_tables,
    stake_change,
)
from league.nights.pages.group_message import group_message
from league.nights.pages.my_seat import OwnSeats
from league.nights.views import cached, online_links
from league.nights.views.viewers import viewer_of
from tables.base.lookup import or_404
from tables.numbers import whole_number
from tables.web.addresses import Address, address_of


def night(request: ClubRequest, found: Event) -> HttpResponse:
    """Show a night's rounds and standings, and the next step."""
    return _show(request, found, "league/nights/event.html")


@club_view(Right.SEE, of=find_event)
def event_live(request: ClubRequest, found: Event) -> HttpResponse:
    """Return the part of the event's page that changes; 204 if nothing has.

    The page sends the `version` that it shows and, if a clock runs, `until` when in Unix seconds.
    """
    until = whole_number(request.GET.get("until"))
    is_up = until is not None and until <= timezone.now().timestamp()
    if request.GET.get("version") == str(found.version) and not is_up:
        return HttpResponse(status=204)
    return _show(request, found, "league/nights/event_live.html")


def _show(request: ClubRequest, event: Event, template: str) -> HttpResponse:
    """Render the event's page for this visitor.

    An open night comes from the cached part that everyone shares, if this visitor sees no more.
    """
    viewer = viewer_of(request, event)
    night, hosts, money = viewer.night, viewer.organises, viewer.sees_money
    sees_more = not event.is_open or event.run_id or (hosts and not selector.shows_all(event))
    rounds = (
        night_page.night_page(night, sees_drafts=hosts, sees_money=money) if sees_more else None
    )
    drawn = rounds or cached.night(night, sees_money=money and event.stake > 0)
    frame = night_page.frame(viewer, drawn.state, is_long=drawn.is_long)
    hosted, belongs = hosts and event.is_open and not event.run_id, viewer.right >= Right.BELONG
    code = _code(request, event) if hosted else None
    own, sign_up = _own(request, viewer), None
    if (event.is_open or event.called_off_at) and not frame.current:
        sign_up = check_in_page.sign_up_of(night, with_names=belongs, own=viewer.own)
    frame = night_page.showing(frame, request.GET.get("show", ""))
    if own.my_night and frame.step:
        mine = MenuRow("user", _("My night"), reverse("league:my_night", args=[event.pk]))
        frame = replace(frame, menu=[mine, *frame.menu])
    if frame.step and not frame.current:
        frame = replace(frame, menu=[*_before(event, sign_up), *frame.menu])
    found = night_page.EventPage(
        frame=frame,
        rounds=rounds,
        shared=drawn.with_own(viewer.own) if isinstance(drawn, night_page.SharedNight) else None,
        own=own,
        rings=hosts and event.is_open and frame.current is not None and not drawn.state.asked,
        shows_needs=belongs,
        sign_up=sign_up,
        expected=night.expected if hosted and frame.current and not drawn.state.is_full else None,
        code=code,
        group=_for_group(request, viewer, code) if hosts and not event.run_id else "",
    )
    # The preview of the page's link tells who won, too.
    told: dict[str, object] = {"menu": frame.menu, "podium": rounds.podium if rounds else ()}
    told["asks"] = partial(calls.asks, request.user, event, others=True)
    return page(request, template, {"event": event, "night": found, "own_keys": viewer.own} | told)


def _before(event: Event, sign_up: check_in_page.SignUpNote | None) -> list[MenuRow]:
    """Return what an organiser may do about a night to come as anyone may."""
    rows = [MenuRow("calendar", _("Add to calendar"), address(event, "night_calendar"))]
    if sign_up and sign_up.secret:
        answer = reverse("league:link_night", args=[sign_up.secret])
        rows.insert(0, MenuRow("user", _("Say if you're coming"), answer))
    return rows


def _for_group(request: ClubRequest, viewer: Viewer, code: Address | None) -> str:
    """Return what the group wants to know: who comes, the draw, or the result with the debts."""
    if not viewer.event.is_open:
        return _result_text(_result(request, viewer))
    return group_message(viewer.night, code.url) if code else ""


def _address(request: ClubRequest, event: Event) -> str:
    """Return the address for the group: the night's link where an organiser sends it."""
    code = _code(request, event) if request.right >= Right.ORGANISE else None
    if code is not None:
        return code.url
    return address_of(request, address(event, "event")).url if request.club.is_public else ""


def _own(request: ClubRequest, viewer: Viewer) -> OwnSeats:
    """Return the seats of the viewer's own players."""
    event, claim = viewer.event, viewer.claim
    key = online_tables.key_of_user(event, request.user)
    own = viewer.own if claim or not key else []
    to_watch = partial(online_links.to_watch, request, event)
    mine = my_seat.tables_of(viewer.night, own, to_watch=to_watch)
    return OwnSeats(
        my_table=key,
        my_tables=mine,
        my_night=bool(claim or mine),
    )


def _code(request: ClubRequest, event: Event) -> Address | None:
    """Return the address of the night's link, if there is one."""
    link = links.of_night(event)
    path = reverse("league:link_night", args=[link.secret]) if link else ""
    return address_of(request, path) if link else None


@club_view(Right.SEE, of=find_event)
def explain(request: ClubRequest, found: Event, player: int) -> HttpResponse:
    """Return how one row of the event's standings adds up."""
    rows = final_places.points_of_games(found)
    standing = or_404(next((one for one in rows if one.player.pk == player), None))
    context = {"event": found, "standing": standing}
    if not found.run_id:
        context["tables"] = night_tables.played_by(Night(found), player)
    return page(request, "league/seasons/explain.html", context)


@club_view(Right.ORGANISE, of=find_event)
def check_in(request: ClubRequest, found: Event) -> HttpResponse:
    """Show tonight's players; a POST sets the presence of those tapped."""
    done: Done | None = None
    if request.htmx and request.GET.get("version") == str(found.version):
        return HttpResponse(status=204)
    stood = _stood(request)
    if request.method == "POST" and "asks" not in request.POST:
        presence = request.POST.get("presence", "")
        ids = {whole_number(key) for key in request.POST.getlist("player")}
        with telling(request):
            if presence not in Entrant.Presence.values or not ids or None in ids:
                raise incomplete_form()
            players = {key for key in ids if key is not None}
            before = selector.presences(found, players)
            known = found.entrants.filter(player__in=players).values_list("player_id", flat=True)
            stood = {key: before[key] if key in known else "" for key in before} | stood
            entry = attendance.set_presence(
                event=found,
                player_ids=players,
                presence=presence,
                by=request.user,
                undoes=whole_number(request.POST.get("undo")),
            )
            done = _presence_done(request, found, before, presence, entry)
        if not request.htmx:
            if done and "undo" not in request.POST:
                tell_done(request, done.text, request.path, done.fields)
            return _back(request, found.pk)
        found.refresh_from_db(fields=["version"])
    return _show_check_in(request, found, GuestForm(), done=done, stood=stood)


def _stood(request: HttpRequest) -> dict[int, str]:
    """Return the presence that those tapped since the page was opened had then, by player."""
    sent = request.POST.get("stood") or request.GET.get("stood", "")
    return {
        key: was
        for number, _mark, was in (one.partition(":") for one in sent.split())
        if (key := whole_number(number)) and was in ["", *Entrant.Presence.values]
    }


def _back(request: ClubRequest, pk: int) -> HttpResponse:
    """Return to the page of the night that had the form: its own or the one of its people."""
    there = "league:event" if "night" in request.POST else "league:check_in"
    return redirect(there, slug=request.club.slug, pk=pk)


@dataclass(frozen=True)
class Done:
    """What a tap on names did, in words, and the form fields that undo it, or do what it `asks`."""

    text: str
    fields: list[tuple[str, object]]
    asks: bool = False


def _ask(player: Player, table: int) -> Done:
    """Return the question whether a player goes whose game is on, with the form that says so."""
    return Done(
        _("%(name)s is playing at table %(table)s. Leaving frees the seat.")
        % {"name": player.name, "table": table},
        [("presence", Entrant.Presence.LEFT), ("player", player.pk)],
        asks=True,
    )


def _show_check_in(
    request: ClubRequest,
    event: Event,
    guest: GuestForm,
    *,
    status: int = 200,
    stood: Mapping[int, str] | None = None,
    **more: object,
) -> HttpResponse:
    night, query, link = Night(event), asked_name(request), _code(request, event)
    polled = urlencode({"version": event.version} | ({"q": query} if query else {}))
    code = address(event, "check_in_link")
    state = progress_now(night) if event.is_open else None
    step, draws = check_in_page.step_of_people(night, state, code) if state else (None, [])
    playing = check_in_page.playing(night, state) if state else {}
    if table := playing.get(asked := whole_number(request.POST.get("asks")) or 0):
        more["done"] = _ask(next(e.player for e in night.of([asked])), table)
    found = check_in_page.check_in_page(night, stood)
    groups = check_in_page.names_to_tap(found, night.drawn, query)
    everyone = next((group for group in groups if len(group.all) > 1), None)
    early, late = (None, everyone) if night.rounds else (everyone, None)
    context = {
        "event": event,
        "guest": guest,
        "query": query,
        "address": link,
        "news_at": f"{address(event, 'check_in')}?{polled}" if event.is_open else "",
        "latest_change": last_changes.say_latest(event, request.user),
        "asks": partial(calls.asks, request.user, event, others=False),
        "step": step,
        "clock": night.clock if state else None,
        "clock_of": night.playing.number if night.playing else None,
        "playing": playing,
        "page": found,
        "here": night.here,
        "stood": " ".join(f"{key}:{was}" for key, was in found.stood.items()),
        "groups": groups,
        "backs": {name.back for group in groups for name in group.names if name.back},
        "sat": [] if event.is_open else check_in_page.who_sat(night),
        "has_rounds": bool(night.rounds),
        "code_first": not night.rounds and event.days_ahead <= 0,
        "everyone": early,
        "menu": check_in_page.menu_of(event, link.url if link else "", late, draws),
    }
    part = "#people" if request.htmx else ""
    return page(request, f"league/nights/check_in.html{part}", context | more, status)


def _presence_done(
    request: ClubRequest, event: Event, before: dict[int, str], presence: str, entry: int | None
) -> Done:
    """Return what the change of that log entry did; without one, who did the same before."""
    if "undo" in request.POST:
        return Done(_("Undone."), [])
    if entry is None:
        earlier_entry = last_changes.find_presence_after(event, before, 0)
        return Done(last_changes.say(earlier_entry) or _("Nothing was changed."), [])
    text = ngettext("%(n)s player checked in.", "%(n)s players checked in.", len(before))
    if len(before) == 1:
        text = {
            Entrant.Presence.HERE.value: _("%(name)s is here."),
            Entrant.Presence.LEFT.value: _("%(name)s has left."),
            Entrant.Presence.ABSENT.value: _("%(name)s is absent."),
            Entrant.Presence.EXPECTED.value: _("%(name)s is not here yet."),
        }[presence]
    name = event.season.club.players.values_list("name", flat=True).get(pk=min(before))
    earlier = set(before.values())
    fields: list[tuple[str, object]]
    fields = [("undo", entry), ("presence", min(earlier)), *(("player", key) for key in before)]
    text %= {"n": len(before), "name": name}
    if presence == Entrant.Presence.HERE and (ahead := selector.plays_from(event, min(before))):
        text = " ".join([text, _("Plays from round %(number)s.") % {"number": ahead}])
    return Done(text, fields if len(earlier) == 1 else [])


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def guest(request: ClubRequest, found: Event) -> HttpResponse:
    """Add a guest to tonight's list."""
    form = GuestForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["name"]
        with telling(request, form=form):
            alike = players.alike(club=request.club, name=name)
            if alike and "new" not in request.POST:
                return _show_check_in(request, found, form, status=409, alike=alike)
            entrant = attendance.add_guest(event=found, name=name, by=request.user)
            messages.success(request, _("%(name)s is here.") % {"name": entrant.player.name})
            return _back(request, found.pk)
    return _show_check_in(request, found, form, status=form_status(form))


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def roll_call(request: ClubRequest, found: Event) -> HttpResponse:
    """Start or stop a roll call."""
    with telling(request):
        if request.POST.get("do") == "stop":
            roll_calls.stop(event=found, by=request.user)
        else:
            minutes = whole_number(request.POST.get("minutes")) or 0
            roll_calls.start(event=found, minutes=minutes, by=request.user)
    return redirect("league:check_in", slug=request.club.slug, pk=found.pk)


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def event_status(request: ClubRequest, found: Event) -> HttpResponse:
    """Close, call off or reopen the event."""
    try:
        if request.POST.get("status") == Event.Status.OPEN:
            undoes = whole_number(request.POST.get("undo"))
            closing.reopen_event(event=found, by=request.user, undoes=undoes)
        elif request.POST.get("status") == "called_off":
            closing.call_off(event=found, by=request.user)
            _tell_closed(request, found, _("%(name)s is called off.") % {"name": found.name})
        else:
            anyway = request.POST.get("anyway") == "1"
            online.tables().take_games(event=found)
            unfinished = "" if anyway else closing.say_unfinished(found)
            may_wait = unfinished or found.has_queue or not found.games_per_round
            silent = silent_phones.say_silent(found) if may_wait and not anyway else []
            if silent:
                return _ask_to_close(request, found, unfinished, silent)
            closing.close_event(event=found, by=request.user, despite_unfinished=anyway)
            _tell_closed(request, found, _("%(name)s closed.") % {"name": found.name})
    except ValidationError as error:
        if getattr(error, "code", "") == "unfinished":
            return _ask_to_close(request, found, error.messages[0])
        tell(request, error)
    return redirect("league:event", slug=request.club.slug, pk=found.pk)


def _ask_to_close(
    request: ClubRequest, event: Event, unfinished: str, silent: Collection[str] = ()
) -> HttpResponse:
    context = {"event": event, "unfinished": unfinished, "silent": silent}
    return page(request, "league/nights/close_anyway.html", context, 409)


def _tell_closed(request: ClubRequest, event: Event, text: str) -> None:
    """Offer to undo this very closing, until someone reopens the night."""
    entry = last_changes.find_last(event, last_changes.STATUS)
    undo: list[tuple[str, object]] = [("undo", entry.pk)] if entry else []
    tell_done(request, text, request.path, [("status", Event.Status.OPEN), *undo])


@club_view(Right.ORGANISE, of=find_event)
def event_settings(request: ClubRequest, found: Event) -> HttpResponse:
    """Show and change the settings that may still change during the night."""
    form = NightSettingsForm(request.POST or None, event=found)
    calls_off = found.is_open and not selector.has_begun(found)
    context: dict[str, Any] = {"event": found, "form": form, "calls_off": calls_off}
    context["tells"] = calls_off and found.days_ahead >= 0
    if form.is_valid():
        is_sent, seen = "preview" not in request.POST, form.settings_seen
        with telling(request, form=form):
            merged, crossed = night_settings.merge(found, form.cleaned_data, seen)
            if is_sent and crossed:
                asked = settings_crossed(found, form, crossed, request.user)
                context = {"event": found, "page": asked}
                return page(request, "league/nights/settings_crossed.html", context, 409)
            form.cleaned_data |= merged
            context |= _stake_change(found, form)
            if is_sent and form.is_valid():
                night_settings.change_settings(
                    event=found,
                    by=request.user,
                    corrects=form.corrects,
                    seen=seen,
                    **form.cleaned_data,
                )
        if is_sent and form.is_valid():
            messages.success(request, _("Saved."))
            found.refresh_from_db(fields=["date"])
            if "date" in form.changed_data and (outside := selector.outside_season(found)):
                messages.warning(request, outside)
            return redirect("league:event", slug=request.club.slug, pk=found.pk)
    return page(request, "league/nights/event_settings.html", context, form_status(form))


def _stake_change(event: Event, form: NightSettingsForm) -> dict[str, Any]:
    """Ask before the games played are posted again; return what that would change."""
    stake = form.cleaned_data["plan"].stake
    if form.corrects in (None, stake):
        return {}
    night_settings.check_stake_correction(event)
    change = stake_change.of_stake(event, form.corrects, stake)
    unit = event.season.unit
    text = ngettext(
        "%(games)s game was played for %(old)s. Correct it to %(new)s?",
        "%(games)s games were played for %(old)s. Correct them to %(new)s?",
        change.games,
    )
    amounts = {"old": texts.amount(change.was, unit), "new": texts.amount(stake, unit)}
    form.ask("stake", text % (amounts | {"games": change.games}), about=change.rows)
    return {"change": change}


@club_view(Right.SEE)
def event_share(request: ClubRequest, pk: int) -> HttpResponse:
    """Return the night's result as a text for the group chat."""
    context = _result(request, viewer_of(request, find_event(request.club, pk)))
    context["text"] = _result_text(context)
    return page(request, "league/nights/event_share.html", context)


def _result(request: ClubRequest, viewer: Viewer) -> dict[str, Any]:
    event, with_money = viewer.event, viewer.sees_money and viewer.event.has_money
    places = (place for place in final_places.event_places(event) if place.row.games)
    return {
        "club": request.club,
        "event": event,
        "stages": final_places.by_stage(places),
        "payments": open_debts.of_night(event) if with_money else [],
        "unit": event.season.unit if with_money and event.games_have_money else None,
        "address": _address(request, event),
    }


def _result_text(result: dict[str, Any]) -> str:
    return render_to_string("league/nights/share.txt", result) if result["stages"] else ""
