"""Computing a season's table and keeping its rows ready; what pages read of it is a selector."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from league.models import Club, Entrant, Season, SeasonRow, SeasonTable
from league.selectors import honours, own_rows, standings
from league.selectors.honours import Specials
from league.selectors.ready_rows import kept_row, standing_of
from league.selectors.stamps import nights_of, stamp_of, stamps, touched
from league.selectors.standings import Standing
from league.services.snapshots import snapshot
from league.services.sweeps import each

SMALL = 3_000
"""Up to so many entries in nights, some 15,000 results, a visitor waits (docs/performance.md)."""
MOST_TOUCHED = 2
"""Where more than one row in so many may have changed, all are counted anew."""
SIGN_OF_LIFE = 60  # Seconds without one, after which somebody else begins anew.


def is_small(season: Season) -> bool:
    """Whether a visitor may wait for the table."""
    return Entrant.objects.filter(event__season=season)[: SMALL + 1].count() <= SMALL


def prepare(season: Season) -> SeasonTable:
    """Computes the season's rows and keeps them ready: those that changed since, or all."""
    started = time.monotonic()
    with snapshot():
        at, season = timezone.now(), Season.objects.get(pk=season.pk)
        table = SeasonTable(season=season, stamp=stamp_of(season), computed_at=at)
        table.nights = nights_of(season)
        before = _before(season)
        rows = _changed_rows(season, table, before) if before else None
        rows = _all_rows(season) if rows is None else rows
    table.seconds, table.count = time.monotonic() - started, len(rows)
    _save(table, rows, before)
    cache.delete(_key(season))
    return table


def prepare_behind() -> int:
    """Computes what no visitor computes: large tables, and those of closed seasons; how many."""
    kept = dict(SeasonTable.objects.values_list("season_id", "stamp"))
    behind = [key for key, stamp in stamps().items() if kept.get(key) != stamp]
    seasons = Season.objects.filter(pk__in=behind).order_by("pk")
    wanted = [s for s in seasons if s.status == Season.Status.CLOSED or not is_small(s)]
    return each(wanted, _unless_running)


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


@dataclass(frozen=True)
class _Before:
    """What is kept already."""

    table: SeasonTable
    rows: dict[int, SeasonRow]


def _before(season: Season) -> _Before | None:
    table = SeasonTable.objects.filter(season=season).first()
    if table is None:
        return None
    rows = SeasonRow.objects.filter(season=season).select_related("player")
    return _Before(table, {row.player_id: row for row in rows})


def _changed_rows(season: Season, table: SeasonTable, before: _Before) -> list[SeasonRow] | None:
    """All rows in their new order, those of few players counted anew; None where of too many."""
    people = touched(season, before.table, table.stamp, table.nights)
    if people is None or len(people) * MOST_TOUCHED > len(before.rows):
        return None
    others = [row for row in before.rows.values() if row.player_id not in people]
    shown = standings.refreshed(season, map(standing_of, others), own_rows.rows_of(people, season))
    told = [own for row in others if (own := honours.specials_of(row))]
    return _rows(season, shown, told + honours.season_specials(season, people))


def _all_rows(season: Season) -> list[SeasonRow]:
    def tell(done: int, total: int) -> None:
        cache.set(_key(season), (done, total), SIGN_OF_LIFE)

    shown = standings.season_standings(season, tell)
    return _rows(season, shown, honours.season_specials(season))


@transaction.atomic
def _save(table: SeasonTable, rows: Sequence[SeasonRow], before: _Before | None) -> None:
    """Writes the rows that differ from those before, or all where others were kept meanwhile."""
    # Two who compute at once wait here for each other.
    Season.objects.select_for_update(no_key=True).get(pk=table.season_id)
    now = SeasonTable.objects.defer("nights").filter(season=table.season_id).first()
    old: dict[int, SeasonRow] = {}
    if before and now and now.computed_at == before.table.computed_at:
        old = before.rows
    made = [row for row in rows if not _same(row, old.get(row.player_id))]
    gone = old.keys() - {row.player_id for row in rows}
    stale = SeasonRow.objects.filter(season=table.season_id)
    if old:
        stale = stale.filter(player__in=[*gone, *(row.player_id for row in made)])
    stale.delete()
    SeasonRow.objects.bulk_create(made, batch_size=2_000)
    table.pk = now.pk if now else None
    table.save()


def _same(row: SeasonRow, old: SeasonRow | None) -> bool:
    return old is not None and (row.position, row.rank, row.points, row.games, row.rest) == (
        old.position, old.rank, old.points, old.games, old.rest
    )  # fmt: skip


def _key(season: Season) -> str:
    # The time of creation, because another database may have a season of the same number.
    return f"season-table:2:{season.pk}:{season.created_at.timestamp()}"


def _rows(season: Season, shown: list[Standing], specials: list[Specials]) -> list[SeasonRow]:
    """The rows with what else pages tell of their players: specials and honours."""
    rows = {s.player.pk: kept_row(season, at, s) for at, s in enumerate(shown, start=1)}
    for own in specials:
        if own.player in rows:
            rows[own.player].rest["specials"] = list(own[2:])
    for honour in honours.season_honours(specials, shown):
        if honour.player in rows:
            rows[honour.player].rest.setdefault("honours", []).append([honour.key, honour.count])
    return list(rows.values())
