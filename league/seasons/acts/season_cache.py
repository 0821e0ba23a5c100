"""Cache season standings, so that a page stays fast for any length of season.

The visitor who finds a small season's rows outdated computes them. A large season is computed in
the background; its page shows the old rows, their time and the progress.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from league.base.acts.snapshots import snapshot
from league.base.acts.sweeps import each
from league.base.domain.grouped import grouped
from league.models import Club, Entrant, Season, SeasonRow, SeasonTable
from league.seasons.facts import honours, player_rows, standings
from league.seasons.facts import season_cache as selector
from league.seasons.facts.honours import Specials
from league.seasons.facts.season_cache import CachedRows, CachedStandings
from league.seasons.facts.standings import Standing

SMALL = 3_000
"""The most entries of a season computed per request, some 15,000 results (docs/performance.md)."""
MOST_TOUCHED = 2
"""If more than one row in this many may have changed, all rows are computed."""
SIGN_OF_LIFE = 60  # Seconds without progress after which another worker may start.


def standings_of(*, season: Season) -> CachedStandings:
    """Return the season's standings; recompute outdated ones if the season is small."""
    cached = selector.cached_standings(season)
    if not cached.waiting:
        return cached
    if Entrant.objects.filter(event__season=season)[: SMALL + 1].count() > SMALL:
        done, total = cache.get(_key(season)) or (0, 1)
        return replace(cached, percent=int(100 * done // max(total, 1)))
    table = prepare(season=season)
    return CachedStandings(table.computed_at, CachedRows(season.rows.all(), table.count), False)


def prepare(*, season: Season) -> SeasonTable:
    """Compute and cache the season's rows: the changed ones, or all."""
    started = time.monotonic()
    with snapshot():
        at, season = timezone.now(), Season.objects.get(pk=season.pk)
        table = SeasonTable(season=season, stamp=selector.stamp_of(season), computed_at=at)
        table.nights = selector.nights_of(season)
        before = SeasonTable.objects.filter(season=season).first()
        cached = season.rows.select_related("player") if before else ()
        old = {row.player_id: row for row in cached}
        rows = _changed_rows(season, table, before, old) if before else None
        rows = _all_rows(season) if rows is None else rows
    table.seconds, table.count = time.monotonic() - started, len(rows)
    _save(table, rows, before, old)
    cache.delete(_key(season))
    return table


def prepare_behind() -> int:
    """Compute the outdated rows of large and closed seasons; return how many seasons."""
    cached = dict(SeasonTable.objects.values_list("season_id", "stamp"))
    behind = [key for key, stamp in selector.stamps().items() if cached.get(key) != stamp]
    entries = Entrant.objects.filter(event__season=OuterRef("pk")).order_by()
    wanted = Q(status=Season.Status.CLOSED) | Exists(entries[SMALL:])  # From SMALL + 1.
    return each(Season.objects.filter(wanted, pk__in=behind).order_by("pk"), _unless_running)


def _unless_running(season: Season) -> bool:
    if not cache.add(_key(season), (0, 1), SIGN_OF_LIFE):
        return False
    prepare(season=season)
    return True


def forget(*, club: Club) -> None:
    """Delete the club's cached rows."""
    SeasonTable.objects.filter(season__club=club).delete()
    SeasonRow.objects.filter(season__club=club).delete()


def _changed_rows(
    season: Season, table: SeasonTable, before: SeasonTable, old: dict[int, SeasonRow]
) -> list[SeasonRow] | None:
    """Return all rows, with only the changed players' recalculated; None if too many changed."""
    people = selector.touched(season, before, table.stamp, table.nights)
    if people is None or len(people) * MOST_TOUCHED > len(old):
        return None
    others = [row for row in old.values() if row.player_id not in people]
    unchanged = map(selector.standing_of, others)
    found = standings.refreshed(season, unchanged, player_rows.rows_of(people, season))
    specials = [own for row in others if (own := selector.specials_of(row))]
    return _rows(season, found, specials + honours.season_specials(season, people))


def _all_rows(season: Season) -> list[SeasonRow]:
    def tell(done: int, total: int) -> None:
        cache.set(_key(season), (done, total), SIGN_OF_LIFE)

    return _rows(season, standings.season_standings(season, tell), honours.season_specials(season))


@transaction.atomic
def _save(
    table: SeasonTable,
    rows: Sequence[SeasonRow],
    before: SeasonTable | None,
    old: dict[int, SeasonRow],
) -> None:
    """Save the rows that differ from the `old` ones, or all if those were replaced since."""
    # Serializes concurrent computations of one season.
    Season.objects.select_for_update(no_key=True).get(pk=table.season_id)
    now = SeasonTable.objects.defer("nights").filter(season=table.season_id).first()
    if not (before and now and now.computed_at == before.computed_at):
        old = {}
    columns = attrgetter("position", "rank", "points", "games", "rest")
    made = [
        row
        for row in rows
        if row.player_id not in old or columns(row) != columns(old[row.player_id])
    ]
    gone = old.keys() - {row.player_id for row in rows}
    stale = SeasonRow.objects.filter(season=table.season_id)
    if old:
        stale = stale.filter(player__in=[*gone, *(row.player_id for row in made)])
    stale.delete()
    SeasonRow.objects.bulk_create(made, batch_size=2_000)
    table.pk = now.pk if now else None
    table.save()


def _key(season: Season) -> str:
    # The creation time distinguishes equal keys of different databases.
    return f"season-table:2:{season.pk}:{season.created_at.timestamp()}"


def _rows(season: Season, found: list[Standing], specials: list[Specials]) -> list[SeasonRow]:
    """Return the rows to cache, with each player's specials and honours."""
    by_player = {own.player: own for own in specials}
    held = grouped((honour.player, honour) for honour in honours.season_honours(specials, found))
    return [
        selector.row_to_cache(season, position, s, by_player.get(s.player.pk), held[s.player.pk])
        for position, s in enumerate(found, start=1)
    ]
