"""Clocks that stand beside a time: where a night is played, and where its reader is."""

import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.timezone import make_naive

from accounts.zones import reader_zone
from league.base.facts.next_nights import own_hour
from league.models import Event
from tables.base.places import place_of

EVENING, MORNING = 18, 6


class ClockFace(NamedTuple):
    """A local time without its zone, as a clock shows it; dark from evening until morning."""

    time: datetime.datetime

    @property
    def hand(self) -> float:
        """The angle of the hour hand in degrees."""
        return self.time.hour % 12 * 30 + self.time.minute / 2

    @property
    def minutes(self) -> int:
        """The angle of the minute hand in degrees."""
        return self.time.minute * 6

    @property
    def is_dark(self) -> bool:
        return not MORNING <= self.time.hour < EVENING


class LocalClock(NamedTuple):
    """What the clock of a place shows at one moment."""

    face: ClockFace
    place: str


def clocks_of(night: Event) -> list[LocalClock]:
    """Return the reader's clock and the night's as it begins; none where they show the same."""
    if night.begins is None or not own_hour(night):
        return []
    here = make_naive(night.begins, ZoneInfo(reader_zone()))
    there = make_naive(night.begins.astimezone(datetime.UTC), night.zone)
    return [
        LocalClock(ClockFace(here), place_of(reader_zone()).name),
        LocalClock(ClockFace(there), night.clock.name),
    ]
