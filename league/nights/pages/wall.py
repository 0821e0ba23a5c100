"""The big screen: the round being played on one view; afterwards podium and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from league.base.lookup import points_are_money
from league.models import Event, Player, Round, Sitting
from league.nights.facts import ceremony
from league.nights.facts.clock import Clock, calls, clock_of
from league.nights.facts.events import playing_now
from league.nights.facts.final_places import Placed, podium
from league.nights.facts.night import Night
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.pages.next_step import told_to_the_room
from league.nights.pages.night_page import ceremony_notice
from league.nights.pages.same_deals import HandsOfNight, best_hands, traveller
from league.nights.pages.wall_round import TableMark, WallRound, titles_of, wall_round
from league.seasons.facts.standings import Standing

ROWS = 12
"""How many rows fit on a 16:9 screen and stay readable from across the room."""
SECONDS, SECONDS_OF_CEREMONY = 12, 2
MOST_HONOURS = 4
"""The titles that fit one line under the podium."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class WallHonour:
    """A title of the night, and its holders."""

    title: str
    reason: str
    count: int
    players: list[Player]


@dataclass(frozen=True)
class Screen:
    """One screen: its template's name, its items, and which part of the whole list they are.

    `following` is the next screen's number, and `body` the screen as HTML once it is rendered.
    `facts` and `marks` stand in the head: how far the round is, and the tables of all its views;
    `step` stands below it once the round is played.
    `hides_points` where points are money, which the room does not read.
    """

    kind: str
    items: Sequence[Any] = ()
    part: int = 1
    parts: int = 1
    following: int = 0
    round: WallRound | None = None
    honours: Sequence[WallHonour] = ()
    facts: str = ""
    step: str = ""
    marks: Sequence[TableMark] = ()
    hides_points: bool = False
    body: str = ""

    @property
    def winner(self) -> str:
        """The name of a player who is first on the podium alone."""
        first = [one.player.name for one in self.items if one.row.rank == 1]
        return first[0] if len(first) == 1 else ""


def screen_of(event: Event, number: int, *, sees_money: bool = False) -> Screen:
    """Return screen `number`, counted from 0 and wrapping around.

    While a round is played all its screens are one view: only what does not fit changes.
    """
    if revealed := ceremony.revealed_so_far(event):
        return Screen("ceremony", revealed)
    night = Night(event)
    standings, rounds = night.standings, night.released
    places = [place for place in night.places if place.row.games]
    hides_points = not sees_money and points_are_money(event)
    if rounds and event.is_open and not event.told_at:
        found = wall_round(night, places, number=number, sees_money=sees_money)
        return Screen(
            "tables",
            found.tables,
            found.part,
            found.parts,
            found.part % found.parts,
            round=found,
            facts=found.facts,
            step=told_to_the_room(night),
            marks=found.marks,
            hides_points=hides_points,
        )
    screens = list(_screens(event, standings, places, hides_points)) or [Screen("nothing")]
    number %= len(screens)
    following = (number + 1) % len(screens)
    return replace(screens[number], following=following, hides_points=hides_points)


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
        calls=calls(event),
        every=SECONDS_OF_CEREMONY if event.told and not event.told_at else SECONDS,
        kept_back=ceremony_notice(event),
    )


def _screens(
    event: Event, standings: Sequence[Standing], places: Sequence[Placed], hides_points: bool
) -> Iterator[Screen]:
    if first := podium(places):
        players = {one.player.pk: one.player for one in places}
        yield Screen("podium", first, honours=_honours(event, standings, players))
    by_place = hides_points or any(place.stage for place in places)
    kind = "places" if by_place else "standings"
    yield from _split(kind, places, ROWS)
    if event.rules_of_format.same_deals:
        night = HandsOfNight(event, ())
        yield from _split("traveller", traveller(night), ROWS)
        yield from _split("deals", best_hands(night), ROWS)


def _honours(
    event: Event, standings: Sequence[Standing], players: Mapping[int, Player]
) -> list[WallHonour]:
    found = []
    for group in titles_of(event, standings)[:MOST_HONOURS]:
        first, holders = group[0], [players[one.player] for one in group if one.player in players]
        found.append(WallHonour(first.title, str(first.reason), first.count, holders))
    return found


def _split(kind: str, items: Sequence[Item], size: int) -> Iterator[Screen]:
    """Yield screens of nearly equal length: 13 rows make 7 and 6, not 12 and 1."""
    parts = -(-len(items) // size)
    for part in range(parts):
        first, last = len(items) * part // parts, len(items) * (part + 1) // parts
        yield Screen(kind, items[first:last], part + 1, parts)
