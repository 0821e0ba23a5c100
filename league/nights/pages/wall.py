"""The big screen: tables and their progress, names, the clock, standings, titles."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from django.db.models import Max

from league.models import Event, Result, Round, Sitting
from league.nights.facts import ceremony
from league.nights.facts.clock import Clock, calls, clock_of
from league.nights.facts.events import playing_now, rounds_of
from league.nights.facts.final_places import event_places, podium
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.facts.waitlist import queue
from league.nights.pages.night_page import ceremony_notice
from league.nights.pages.night_specials import last_chop, specials_of
from league.seasons.facts.honours import season_honours
from league.seasons.facts.standings import Standing, event_standings

TABLES, NAMES, ROWS = 8, 45, 12
"""How many fit on a 16:9 screen and stay readable from across the room."""
HOLDERS = 3
"""A title shared by more players than this is not screens."""
SECONDS, SECONDS_OF_CEREMONY = 12, 2

Item = TypeVar("Item")


@dataclass(frozen=True)
class Screen:
    """One screen: its template's name, its items, and which part of the whole list they are.

    `following` is the next screen's number, and `body` the screen as HTML once it is rendered.
    """

    kind: str
    items: Sequence[Any] = ()
    part: int = 1
    parts: int = 1
    following: int = 0
    last_chop: str = ""
    body: str = ""


@dataclass(frozen=True)
class WallTable:
    """A table of the round and its progress; `planned` is 0 without a set number of games."""

    table_no: int
    names: list[str]
    played: int
    planned: int
    last_at: datetime.datetime | None

    @property
    def is_done(self) -> bool:
        return bool(self.planned) and self.played >= self.planned


@dataclass(frozen=True)
class WallTitle:
    """A title of the night so far, and its holders."""

    title: str
    reason: str
    count: int
    names: list[str]


def screen_of(event: Event, number: int) -> Screen:
    """Return screen `number`, counted from 0 and wrapping around."""
    rounds = rounds_of(event, with_drafts=False)
    current = rounds[-1] if rounds else None
    if revealed := ceremony.revealed_so_far(event):
        screens = [Screen("ceremony", revealed)]
    else:
        screens = list(_screens(event, current)) or [Screen("nothing")]
    screen = screens[number % len(screens)]
    tells = event.is_open and screen.kind == "tables"
    chop = last_chop(event) if tells else ""
    return replace(screen, following=(number + 1) % len(screens), last_chop=chop)


@dataclass(frozen=True)
class WallNow:
    """What every screen shows: the round, its clock, and the calls for an organiser.

    `every` is the number of seconds until the page asks again.
    """

    current: Round | None
    clock: Clock | None
    call: RollCall | None
    calls: list[Sitting]
    every: int
    kept_back: str


def wall_now(event: Event) -> WallNow:
    current = playing_now(event) if event.is_open else None
    return WallNow(
        current=current,
        clock=clock_of(current),
        call=roll_call(event),
        calls=calls(event) if event.is_open else [],
        every=SECONDS_OF_CEREMONY if event.told and not event.told_at else SECONDS,
        kept_back=ceremony_notice(event),
    )


def _screens(event: Event, current: Round | None) -> Iterator[Screen]:
    standings = event_standings(event)
    places = [place for place in event_places(event, standings) if place.row.games]
    if not event.is_open or event.told_at:
        if first := podium(places):
            yield Screen("podium", first)
    elif current is not None:
        yield from _split("tables", _tables(event, current), TABLES)
        if event.is_floor:
            waiting = enumerate(queue(event), start=1)
            yield from _split("queue", [(no, e.player.name) for no, e in waiting], NAMES)
        yield from _split("names", _by_name(current), NAMES)
        if current.clock_started_at:
            yield Screen("clock")
    if any(place.stage for place in places):
        yield from _split("places", places, ROWS)
    else:
        yield from _split("standings", places, ROWS)
    if titles := _titles(event, standings):
        yield Screen("titles", titles)


def _tables(event: Event, current: Round) -> list[WallTable]:
    planned = 0 if event.is_floor else event.games_per_round or 0
    games = Result.objects.filter(sitting__round=current, current=True).order_by()
    last_at = dict(games.values_list("sitting").annotate(Max("at")))
    return [
        WallTable(
            table_no=sitting.table_no,
            names=[place.entrant.player.name for place in sitting.seated],
            played=sitting.games_played,  # type: ignore[attr-defined]
            planned=planned,
            last_at=last_at.get(sitting.pk),
        )
        for sitting in current.sittings.all()
    ]


def _titles(event: Event, standings: Sequence[Standing]) -> list[WallTitle]:
    """Return the titles' leaders; none before a first game or while results are held."""
    if not any(standing.row.games for standing in standings) or ceremony.is_waiting(event):
        return []
    specials, _pairs = specials_of([event])
    found = []
    for _key, group in groupby(season_honours(specials, standings), key=lambda one: one.key):
        honours = list(group)
        if len(honours) <= HOLDERS:
            first = honours[0]
            names = [honour.name for honour in honours]
            found.append(WallTitle(first.title, str(first.reason), first.count, names))
    return found


def _by_name(round_: Round) -> list[tuple[str, int | None]]:
    """Return everyone's name and table number, by name; None for those who sit out."""
    places = [(p.entrant.player, s.table_no) for s in round_.sittings.all() for p in s.seated]
    resting = [(bye.entrant.player, None) for bye in round_.byes.all()]
    everybody = sorted([*places, *resting], key=lambda pair: pair[0].sort_key)
    return [(player.name, table_no) for player, table_no in everybody]


def _split(kind: str, items: list[Item], size: int) -> Iterator[Screen]:
    """Yield screens of nearly equal length: 13 rows make 7 and 6, not 12 and 1."""
    parts = -(-len(items) // size)
    for part in range(parts):
        first, last = len(items) * part // parts, len(items) * (part + 1) // parts
        yield Screen(kind, items[first:last], part + 1, parts)
