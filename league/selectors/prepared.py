"""Rows of a season's table kept ready, so that a page does not grow with the season.

A copy and never the truth: it is stamped with what it was computed from, and whatever changes a
season changes the stamp. A season that takes long to compute is computed in the background; until
that is done its page shows the rows as they were, says from when, and says that newer results wait.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.cache import cache
from django.db.models import Sum
from django.utils import timezone

from league.domain.standings import Row
from league.models import Club, Player, Season
from league.selectors import standings
from league.selectors.standings import Standing

KEPT = 30 * 24 * 3600
QUICK = 1.0  # Seconds that a visitor may wait for a table.


@dataclass(frozen=True)
class Prepared:
    """The rows without their nights, when they were computed, in how many seconds, from what."""

    stamp: str
    at: datetime
    seconds: float
    rows: list[Standing]


@dataclass(frozen=True)
class Table:
    """What a page shows; `waiting` says that newer results are not in it yet."""

    at: datetime
    rows: list[Standing]
    waiting: bool


def season_table(season: Season) -> Table:
    """The season's rows, computed now unless that would take long and older ones are at hand."""
    stamp = _stamp(season)
    kept: Prepared | None = cache.get(_key(season))
    if kept is not None and (kept.stamp == stamp or kept.seconds > QUICK):
        return Table(kept.at, kept.rows, waiting=kept.stamp != stamp)
    made = _made(season, stamp)
    return Table(made.at, made.rows, waiting=False)


def prepare(season: Season) -> Prepared:
    """Computes the season's rows from all results and keeps them ready."""
    return _made(season, _stamp(season))


def _made(season: Season, stamp: str) -> Prepared:
    at, started = timezone.now(), time.monotonic()
    rows = [
        Standing(_slim_player(s.player), _slim_row(s.row))
        for s in standings.season_standings(season)
    ]
    made = Prepared(stamp, at, time.monotonic() - started, rows)
    cache.set(_key(season), made, KEPT)
    return made


def forget(club: Club) -> None:
    """Throws the club's kept rows away: not even a moment longer shall they show a name."""
    cache.delete_many([_key(season) for season in club.seasons.all()])


def is_behind(season: Season) -> bool:
    """Whether rows are kept that took long to compute and that newer results have left behind."""
    kept: Prepared | None = cache.get(_key(season))
    return kept is not None and kept.seconds > QUICK and kept.stamp != _stamp(season)


def _stamp(season: Season) -> str:
    """Differs whenever anything the rows depend on has changed: every service logs what it did."""
    last = season.club.audit.order_by("-id").values_list("id", flat=True).first()
    versions = season.events.aggregate(sum=Sum("version"))["sum"]
    return f"{last}:{versions}"


def _key(season: Season) -> str:
    # The time of creation, because another database may have a season of the same number.
    return f"season-table:1:{season.pk}:{season.created_at.timestamp()}"


def _slim_row(row: Row) -> Row:
    """The row without its nights, which are most of it."""
    return replace(row, nights=())


def _slim_player(player: Player) -> Player:
    return Player(pk=player.pk, name=player.name, bot=player.bot, club_id=player.club_id)
