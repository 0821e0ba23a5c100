"""Computing a season's table and keeping its rows ready; what pages read of it is a selector."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from league.models import Club, Entrant, Season, SeasonRow, SeasonTable
from league.selectors import honours, standings
from league.selectors.honours import Specials
from league.selectors.stamps import stamp_of, stamps
from league.selectors.standings import Standing

SMALL = 3_000
"""Up to so many entries in nights, some 15,000 results, a visitor waits (docs/performance.md)."""
SIGN_OF_LIFE = 60  # Seconds without one, after which somebody else begins anew.


def is_small(season: Season) -> bool:
    """Whether a visitor may wait for the table."""
    return Entrant.objects.filter(event__season=season)[: SMALL + 1].count() <= SMALL


def prepare(season: Season) -> SeasonTable:
    """Computes the season's rows from all results and keeps them ready."""

    def tell(done: int, total: int) -> None:
        cache.set(_key(season), (done, total), SIGN_OF_LIFE)

    started = time.monotonic()
    with _snapshot():
        at, stamp = timezone.now(), stamp_of(season)
        shown = standings.season_standings(Season.objects.get(pk=season.pk), tell)
        specials = honours.season_specials(season)
    kept = _save(season, _rows(season, shown, specials), stamp, at, time.monotonic() - started)
    cache.delete(_key(season))
    return kept


def prepare_behind() -> int:
    """Computes what no visitor computes: large tables, and those of closed seasons; how many."""
    kept = dict(SeasonTable.objects.values_list("season_id", "stamp"))
    behind = [key for key, stamp in stamps().items() if kept.get(key) != stamp]
    seasons = Season.objects.filter(pk__in=behind).order_by("pk")
    wanted = [s for s in seasons if s.status == Season.Status.CLOSED or not is_small(s)]
    return sum(_unless_running(season) for season in wanted)


def _unless_running(season: Season) -> bool:
    if not cache.add(_key(season), (0, 1), SIGN_OF_LIFE):
        return False
    prepare(season)
    return True


def forget(club: Club) -> None:
    """Throws the club's kept rows away."""
    SeasonTable.objects.filter(season__club=club).delete()
    SeasonRow.objects.filter(season__club=club).delete()


def percent(season: Season) -> int:
    """How far the computing of the season's table is."""
    done, total = cache.get(_key(season)) or (0, 1)
    return int(100 * done // max(total, 1))


@contextmanager
def _snapshot() -> Iterator[None]:
    """All queries within see the database at one moment, where nothing else is under way."""
    nested = connection.in_atomic_block
    with transaction.atomic():
        if not nested:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


@transaction.atomic
def _save(
    season: Season, rows: Iterable[SeasonRow], stamp: str, at: datetime, seconds: float
) -> SeasonTable:
    # Two who compute at once wait here for each other.
    Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    SeasonRow.objects.filter(season=season).delete()
    made = SeasonRow.objects.bulk_create(rows, batch_size=2_000)
    values = {"stamp": stamp, "computed_at": at, "seconds": seconds, "count": len(made)}
    return SeasonTable.objects.update_or_create(season=season, defaults=values)[0]


def _key(season: Season) -> str:
    # The time of creation, because another database may have a season of the same number.
    return f"season-table:2:{season.pk}:{season.created_at.timestamp()}"


def _rows(season: Season, shown: list[Standing], specials: list[Specials]) -> Iterator[SeasonRow]:
    """The rows with what else pages tell of their players: specials and honours."""
    happened: dict[int, Any] = {own.player: own[2:] for own in specials}
    held: dict[int, Any] = {}
    for honour in honours.season_honours(specials, shown):
        held.setdefault(honour.player, []).append((honour.key, honour.count))
    for position, standing in enumerate(shown, start=1):
        row, player = _row(season, position, standing), standing.player.pk
        for name, told in (("specials", happened), ("honours", held)):
            if player in told:
                row.rest[name] = told[player]
        yield row


def _row(season: Season, position: int, standing: Standing) -> SeasonRow:
    row = standing.row
    return SeasonRow(
        season=season,
        position=position,
        player_id=standing.player.pk,
        rank=row.rank,
        points=str(row.points),
        games=row.games,
        rest={
            "shared": row.shared,
            "adjustments": [[str(a.points), a.reason, a.event] for a in row.adjustments],
            "money": row.money,
            "separated_by": row.separated_by,
            "values": {key: str(value) for key, value in row.values.items()},
            "counts": row.counts,
            "lasts": row.lasts,
            "average_place": _text(row.average_place),
            "beaten": _text(row.beaten),
            "nights": standing.nights,
        },
    )


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
