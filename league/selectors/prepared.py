"""Rows of a season's table kept ready, so that a page does not grow with the season.

A copy and never the truth: it is stamped with what it was computed from, and whatever changes a
season changes the stamp. A small season is computed for the visitor who finds its rows behind; a
large one in the background: its page shows the rows as they were, from when they are, and how far
the computing is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import overload

from django.db.models import QuerySet

from league.models import Season, SeasonRow, SeasonTable
from league.selectors import search, standings
from league.selectors.ready_rows import standing_of
from league.selectors.stamps import stamp_of
from league.selectors.standings import Standing
from league.services import season_tables
from league.services.season_tables import forget as forget


class Rows(Sequence[Standing]):
    """The ready rows, read from the database only as far as they are asked for."""

    def __init__(self, rows: QuerySet[SeasonRow], count: int) -> None:
        self._rows, self._count = rows.select_related("player"), count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Standing: ...
    @overload
    def __getitem__(self, index: slice) -> list[Standing]: ...
    def __getitem__(self, index: int | slice) -> Standing | list[Standing]:
        if isinstance(index, slice):
            return [standing_of(row) for row in self._rows[index]]
        return standing_of(self._rows[index])

    def __iter__(self) -> Iterator[Standing]:
        return map(standing_of, self._rows.iterator(standings.CHUNK))

    def of(self, player: int) -> Standing | None:
        """The row of that player."""
        row = self.kept_of(player)
        return None if row is None else standing_of(row)

    def kept_of(self, player: int) -> SeasonRow | None:
        """The same as it is kept, with specials and honours."""
        return self._rows.filter(player=player).first()

    def named(self, text: str) -> Rows:
        """Those whose name has every word of the text; all for no word."""
        found = search.named(self._rows, text, "player__name")
        return self if found is self._rows else Rows(found, found.count())

    def first_who_played(self, most: int) -> list[Standing]:
        """The first `most` of those with a game."""
        return [standing_of(row) for row in self._rows.filter(games__gte=1)[:most]]


@dataclass(frozen=True)
class Table:
    """What a page shows; `at` is None where nothing was ever computed.

    `waiting` says that newer results are not in it yet, `percent` how far counting them is.
    """

    at: datetime | None
    rows: Rows
    waiting: bool
    percent: int = 0


def season_table(season: Season) -> Table:
    """The season's rows, computed now unless that would take long."""
    kept = SeasonTable.objects.defer("nights").filter(season=season).first()
    waiting = kept is None or kept.stamp != stamp_of(season)
    if waiting and season_tables.is_small(season):
        kept, waiting = season_tables.prepare(season), False
    return Table(
        kept.computed_at if kept else None,
        Rows(season.rows.all(), kept.count if kept else 0),
        waiting,
        season_tables.percent(season) if waiting else 100,
    )
