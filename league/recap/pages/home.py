"""Data of a club's home page: its last night and its current season."""

from __future__ import annotations

from typing import NamedTuple

from league.base.lookup import seasons_to_see
from league.models import Club, Event, Season
from league.nights.facts.final_places import Placed, event_places, podium


class LastNight(NamedTuple):
    """A closed night with its first places."""

    event: Event
    podium: list[Placed]


def last_night(club: Club) -> LastNight | None:
    """Return the club's latest closed night with its podium, or None."""
    nights = Event.objects.filter(
        season__in=seasons_to_see(club),
        kind=Event.Kind.NIGHT,
        status=Event.Status.CLOSED,
        called_off_at=None,
    )
    event = nights.select_related("season__club", "ruleset").order_by("-date", "-pk").first()
    if event is None or not (first := podium(event_places(event))):
        return None
    return LastNight(event, first)


def season_of_people(club: Club) -> Season | None:
    """Return the club's latest open season that ranks people, or None."""
    going_on = seasons_to_see(club).filter(status=Season.Status.OPEN, ranks_bots=False)
    return going_on.select_related("ruleset").first()
