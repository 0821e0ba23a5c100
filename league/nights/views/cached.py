"""Cached parts of a night that everyone sees, rendered once per version and language."""

from dataclasses import asdict

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from league.base.drawn_html import cache
from league.models import Event, shown_names
from league.nights.facts.events import GameCount, Gap
from league.nights.facts.night import Night
from league.nights.facts.progress import Progress
from league.nights.pages import night_page
from league.nights.pages.wall import Screen, screen_of
from league.nights.pages.wall_round import TableMark

SECONDS = 60
"""Seconds to cache a version of a night."""
MOST_SCREENS = 1000


def night(night: Night, *, sees_money: bool) -> night_page.SharedNight:
    """Return a night as a visitor without rights sees it: no secret and nobody's own table."""
    event = night.event
    key = f"{_key('night', event)}:{sees_money}"
    known = cache.get(key)
    if known is None or (known["until"] and known["until"] <= timezone.now().timestamp()):
        found = night_page.night_page(night, sees_drafts=False, sees_money=sees_money)
        context = {
            "event": event,
            "club": event.season.club,
            "unit": event.season.unit,
            "rounds": found,
            "queue": found.queue,
            "places": found.podium,
        }
        known = {
            "queue": render_to_string("league/nights/waiting.html", context)
            if found.queue and not found.state.asked
            else "",
            "rounds": render_to_string("league/nights/event_rounds.html", context),
            "podium": render_to_string("league/nights/podium.html", context)
            if found.podium
            else "",
            "lead": render_to_string("league/nights/lead.html", context) if found.lead else "",
            "standings": render_to_string("league/nights/night_standings.html", context),
            "is_long": found.is_long,
            "state": asdict(found.state),
            "until": found.state.late_until,
        }
        cache.set(key, known, SECONDS)
    games = known["state"]["games"]
    state = known["state"] | {"games": GameCount(**games) if games else None}
    state |= {of: tuple(Gap(*gap) for gap in state[of]) for of in ("missing", "on_a_game")}
    return night_page.SharedNight(
        is_long=known["is_long"],
        state=Progress(**state),
        **{
            name: mark_safe(known[name])
            for name in ("queue", "rounds", "podium", "lead", "standings")
        },
    )


def wall(event: Event, number: int, *, sees_money: bool) -> Screen:
    """Return a screen of the wall as HTML, without its items and its clock."""
    number %= MOST_SCREENS
    key = f"{_key('wall', event)}:{number}:{sees_money}"
    if (known := cache.get(key)) is None:
        screen = screen_of(event, number, sees_money=sees_money)
        unit = event.season.unit
        context = {"screen": screen, "event": event, "club": event.season.club, "unit": unit}
        names = ("kind", "part", "parts", "following", "facts", "step")
        known = {name: getattr(screen, name) for name in names}
        known["marks"] = [asdict(mark) for mark in screen.marks]
        known["body"] = render_to_string("league/nights/wall_screen.html", context)
        cache.set(key, known, SECONDS)
    marks = [TableMark(**mark) for mark in known["marks"]]
    return Screen(**known | {"body": mark_safe(known["body"]), "marks": marks})


def _key(what: str, event: Event) -> str:
    return f"{what}:{event.pk}:{event.version}:{get_language()}:{shown_names.form()}"
