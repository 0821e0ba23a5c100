"""The question before a club moves to another time zone, with its consequence in hours."""

from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import localtime, make_naive

from league.base.facts.next_nights import nights_that_move
from league.base.pages.clocks import ClockFace
from league.models import Club, Event, Schedule
from tables.base.places import City


class ClockMove(NamedTuple):
    """A club's move from a place to another one: what keeps its hours there.

    `moved` is the first night's start after the move, `left` the same moment at the old place, and
    `kept` its start now by the new place's clock; None where nothing planned has an hour.
    """

    old: City
    new: City
    nights: int
    played: int
    moved: ClockFace | None = None
    kept: ClockFace | None = None
    left: str = ""


def move_of(club: Club, place: City) -> ClockMove | None:
    """Return what the move to another zone changes; None if nothing is planned."""
    if place.zone == club.time_zone:
        return None
    nights = list(nights_that_move(club).select_related("season__club"))
    plans = Schedule.objects.filter(season__club=club, rule__isnull=False, next_at__isnull=False)
    if not nights and not plans.exists():
        return None
    every = Event.objects.filter(season__club=club, kind=Event.Kind.NIGHT)
    counts = len(nights), every.count() - len(nights)
    begins = next((night.begins for night in nights if night.begins), None)
    if begins is None:
        return ClockMove(club.clock, place, *counts)
    new = ZoneInfo(place.zone)
    moved = begins.replace(tzinfo=new)
    left = localtime(moved, ZoneInfo(club.time_zone))
    return ClockMove(
        club.clock,
        place,
        *counts,
        moved=ClockFace(moved.replace(tzinfo=None)),
        kept=ClockFace(make_naive(begins, new)),
        left=f"{date_format(left, 'l')} {date_format(left, 'H:i')}",
    )
