"""The contents of a club's bin."""

import datetime
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Club, Event, Player, Season
from league.models.binned import KEPT_IN_BIN

BINNED_KINDS = ("event", "season", "player")


@dataclass(frozen=True)
class Binned:
    """A night, a season or a player in the bin; `kind` and `key` restore it."""

    kind: str
    key: int
    name: str
    what: str
    until: datetime.datetime


def binned(club: Club) -> list[Binned]:
    """Return the rows that can be restored, the latest first."""
    since = timezone.now() - KEPT_IN_BIN
    seasons = Season.everything.filter(club=club, binned_at__gte=since)
    nights = Event.everything.filter(season__club=club, binned_at__gte=since)
    players = Player.everything.filter(club=club, binned_at__gte=since)
    found = [
        *(_row("player", one, one.name, _("player")) for one in players),
        *(_row("season", one, one.name, _("season")) for one in seasons),
        *(_row("event", one, one.name, one.season.name) for one in nights.select_related("season")),
    ]
    return sorted(found, key=lambda one: one.until, reverse=True)


def _row(kind: str, row: Season | Event | Player, name: str, what: str) -> Binned:
    assert row.binned_at is not None
    return Binned(kind, row.pk, name, what, row.binned_at + KEPT_IN_BIN)
