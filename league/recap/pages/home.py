"""What the door Tonight and a club's home share: the last night and the current season."""

from typing import NamedTuple

from django.db.models import QuerySet

from league.models import Event
from league.nights.facts.final_places import Placed, event_places, podium


class LastNight(NamedTuple):
    """A closed night with its first places."""

    event: Event
    podium: list[Placed]


def last_night(nights: QuerySet[Event]) -> LastNight | None:
    """Return the latest closed one of these nights with its podium, or None."""
    event = nights.filter(status=Event.Status.CLOSED).order_by("-date", "-pk").first()
    if event is None or not (first := podium(event_places(event))):
        return None
    return LastNight(event, first)
