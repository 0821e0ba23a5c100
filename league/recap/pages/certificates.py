"""Certificates for the first places of a night or season."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Event, Season
from league.nights.facts.final_places import event_places
from league.seasons.facts.standings import PLAYED, PODIUM, Standing

MOST = 12
"""Maximum certificates, for when many players share a place."""


@dataclass(frozen=True)
class Certificate:
    """A player's place in a night or season, with its date."""

    name: str
    place: str
    what: str
    day: datetime.date


def of_night(event: Event) -> list[Certificate]:
    """Return the certificates for a night's first places, including ties; none before a final."""
    places = [place for place in event_places(event) if place.row.games and place.decided]
    return _first(places, event.name, event.date)


def of_season(season: Season, first: Iterable[Standing]) -> list[Certificate]:
    """Return the certificates for a season's first places, including ties.

    Without a last day they have that of its last night.
    """
    nights = season.counted_events.filter(PLAYED).order_by("-date")
    last = season.ends_on or nights.values_list("date", flat=True).first()
    return _first(first, season.name, last or timezone.localdate())


def _first(places: Iterable[Standing], what: str, day: datetime.date) -> list[Certificate]:
    ordinals = {1: _("First place"), 2: _("Second place"), 3: _("Third place")}
    return [
        Certificate(one.player.name, ordinals[one.row.rank], what, day)
        for one in places
        if one.row.rank and one.row.rank <= PODIUM
    ][:MOST]
