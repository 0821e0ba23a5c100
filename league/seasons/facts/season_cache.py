"""The cached standings of a season: their stamps, and conversion of rows to and from the cache.

The cache is stamped with the data that it was computed from; any change of a season changes the
stamp. So a page's cost does not grow with the season. This module only reads the cache;
`league.seasons.acts.season_cache` brings it up to date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from fractions import Fraction
from typing import Any
from zlib import crc32

from django.db import connection
from django.db.models import QuerySet

from league.base.sliced import Sliced
from league.clubs.facts import search
from league.models import Entrant, Player, Season, SeasonRow, SeasonTable
from league.models.audit import NAMES
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import AdjustmentFact, StandingsRow
from league.seasons.facts import standings
from league.seasons.facts.honours import TITLES, Honour, Specials
from league.seasons.facts.standings import Standing

_FIELDS = {field.name: field.type for field in fields(StandingsRow)}
_PLAIN = [
    key for key, kind in _FIELDS.items() if kind in (int, bool, str | None) and key != "games"
]
_EXACT = [key for key, kind in _FIELDS.items() if kind == Fraction | None]
_MEANING = 3
"""Raised when keys of `rest` change their meaning."""
VERSION = f"{_MEANING}.{crc32(' '.join(_FIELDS).encode())}"
"""Changes with the fields of a row: rows of before are not read any more."""


def tables() -> QuerySet[SeasonTable]:
    """Return the metadata of the cached standings that this version reads."""
    return SeasonTable.objects.defer("nights").filter(stamp__startswith=f"{VERSION}:")


def rows() -> QuerySet[SeasonRow]:
    """Return the cached rows that this version reads."""
    return SeasonRow.objects.filter(season__table__stamp__startswith=f"{VERSION}:")


class CachedRows(Sliced[Standing]):
    def __init__(self, rows: QuerySet[SeasonRow], count: int) -> None:
        self._rows, self._count = rows.select_related("player"), count

    def __len__(self) -> int:
        return self._count

    def read(self, wanted: slice) -> list[Standing]:
        return [standing_of(row) for row in self._rows[wanted]]

    def __iter__(self) -> Iterator[Standing]:
        return map(standing_of, self._rows.iterator(standings.CHUNK))

    def of(self, player: int) -> Standing | None:
        row = self.cached_of(player)
        return None if row is None else standing_of(row)

    def cached_of(self, player: int) -> SeasonRow | None:
        """Return the player's row as cached, with specials and honours."""
        return self._rows.filter(player=player).first()

    def named(self, text: str) -> CachedRows:
        """Return the rows whose name contains every word of the text; all rows for no words."""
        found = search.named(self._rows, text, "player__")
        return self if found is self._rows else CachedRows(found, found.count())

    def first_who_played(self, most: int) -> list[Standing]:
        """Return the first `most` rows with a game, without bots that are not ranked."""
        ranked = self._rows.exclude(rank=None, player__bot__gt="")
        return [standing_of(row) for row in ranked.filter(games__gte=1)[:most]]

    def ranked(self) -> int:
        """Return the number of ranked rows."""
        return self._rows.exclude(rank=None).count()

    def specials(self) -> list[Specials]:
        """Return the specials of everyone who has any."""
        rows = self._rows.filter(rest__has_key="specials")
        return [own for row in rows if (own := specials_of(row))]

    def honours(self) -> list[Honour]:
        """Return the honours of the season in the order of the titles."""
        rows = self._rows.filter(rest__has_key="honours")
        order = list(TITLES)
        return sorted(
            (replace(honour, face=row.player.face) for row in rows for honour in honours_of(row)),
            key=lambda honour: order.index(honour.key),
        )


@dataclass(frozen=True)
class CachedStandings:
    """The cached standings of a page; `at` is None if they were never computed.

    `waiting` says that they are outdated, `percent` is the progress of the computation.
    """

    at: datetime | None
    rows: CachedRows
    waiting: bool
    percent: int = 0


def cached_standings(season: Season) -> CachedStandings:
    """Return the cached standings, and whether they are outdated."""
    table = tables().filter(season=season).first()
    if table is None:
        return CachedStandings(None, CachedRows(SeasonRow.objects.none(), 0), waiting=True)
    rows = CachedRows(season.rows.all(), table.count)
    return CachedStandings(table.computed_at, rows, waiting=table.stamp != stamp_of(season))


# --- Rows to the cache and back ---------------------------------------------------------------


def row_to_cache(
    season: Season,
    position: int,
    standing: Standing,
    specials: Specials | None,
    honours: Sequence[Honour],
) -> SeasonRow:
    """Return the row to cache; `standing_of`, `specials_of` and `honours_of` read it."""
    row = standing.row
    cached = SeasonRow(
        season=season,
        position=position,
        player=standing.player,
        rank=row.rank,
        points=str(row.points),
        games=row.games,
        rest={
            "adjustments": [[str(a.points), a.reason, a.event] for a in row.adjustments],
            "values": {key: str(value) for key, value in row.values.items()},
            "counts": {str(rank): times for rank, times in row.counts.items()},
            "nights": standing.nights,
        }
        | {key: getattr(row, key) for key in _PLAIN}
        | {key: _text(getattr(row, key)) for key in _EXACT},
    )
    if specials:
        cached.rest["specials"] = list(specials[2:])
    if honours:
        cached.rest["honours"] = [[honour.key, honour.count] for honour in honours]
    return cached


def standing_of(cached: SeasonRow) -> Standing:
    """Return the row as pages show it, without its nights; reads the row's player."""
    rest: dict[str, Any] = cached.rest
    player: Player = cached.player
    row = StandingsRow(
        entrant=player.pk,
        rank=cached.rank,
        points=Fraction(cached.points),
        nights=(),
        adjustments=tuple(
            AdjustmentFact(player.pk, Fraction(points), reason, event)
            for points, reason, event in rest["adjustments"]
        ),
        values={key: Fraction(value) for key, value in rest["values"].items()},
        games=cached.games,
        counts={int(rank): times for rank, times in rest["counts"].items()},
        **{key: rest[key] for key in _PLAIN} | {key: _fraction(rest[key]) for key in _EXACT},
    )
    return Standing(player, row, rest["nights"])


def specials_of(cached: SeasonRow) -> Specials | None:
    """Return the specials of the row's player."""
    counts = cached.rest.get("specials")
    return Specials(cached.player_id, cached.player.name, *counts) if counts else None


def honours_of(cached: SeasonRow) -> list[Honour]:
    """Return the honours of the row's player."""
    held: list[tuple[str, int]] = cached.rest.get("honours", [])
    return [Honour(key, cached.player_id, cached.player.name, count) for key, count in held]


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


# --- Stamps: short text that changes with the data of the standings ---------------------------

NightStamp = list[int]
"""An event's key, its version, and 1 if it has games."""

# Every change of an event raises its version, and events in place of deleted ones have higher keys;
# adjustments are only added or revoked; changes of names are logged; the season's settings are
# hashed. Three parts: the data of every row, the adjustments, the events.
_STAMPS = """
    SELECT s.id, concat_ws('|',
        concat_ws(':', %(cached)s::text, s.ranks_bots::int,
            md5(s.scoring::text || s.tie_breaks::text),
            (SELECT max(l.id) FROM league_audit l
             WHERE l.club_id = s.club_id AND l.action IN %(names)s)),
        (SELECT concat_ws(':', count(*), count(a.revoked_at)) FROM league_adjustment a
         WHERE a.season_id = s.id),
        (SELECT concat_ws(':', count(*), sum(e.version), max(e.id)) FROM league_event e
         WHERE e.season_id = s.id))
    FROM league_season s
"""


def stamp_of(season: Season) -> str:
    [(_key, stamp)] = _stamps(" WHERE s.id = %(season)s", season=season.pk)
    return stamp


def stamps() -> dict[int, str]:
    return dict(_stamps(""))


def nights_of(season: Season) -> list[NightStamp]:
    """Return the current stamps of the season's nights."""
    found = season.counted_events.annotate(played=standings.COUNTED).order_by("pk")
    return [[key, n, int(had)] for key, n, had in found.values_list("pk", "version", "played")]


def touched(
    season: Season, cached: SeasonTable, stamp: str, nights: Sequence[NightStamp]
) -> set[int] | None:
    """Return the players whose rows may be outdated; None if all may be."""
    old, new = cached.stamp.split("|"), stamp.split("|")
    was, now = ({key: rest for key, *rest in several} for several in (cached.nights, nights))
    if old[0] != new[0] or was.keys() - now.keys():
        return None
    if Scoring.from_json(season.scoring).drop_worst and _held(cached.nights) != _held(nights):
        return None
    changed = [key for key, rest in now.items() if was.get(key) != rest]
    people = set(Entrant.objects.filter(event__in=changed).values_list(standings.OWNER, flat=True))
    # Who was not there has points of the night too, for missing it.
    given = season.adjustments.filter(event__in=changed)
    people |= set(given.values_list(standings.OWNER, flat=True))
    if old[1] != new[1]:
        people |= set(season.adjustments.values_list(standings.OWNER, flat=True))
    return people


def _held(nights: Sequence[NightStamp]) -> int:
    return sum(played for _key, _version, played in nights)


def _stamps(where: str, **values: int) -> list[tuple[int, str]]:
    names = ", ".join(f"'{name}'" for name in NAMES)
    with connection.cursor() as cursor:
        statement = _STAMPS.replace("%(names)s", f"({names})") + where
        cursor.execute(statement, values | {"cached": VERSION})
        rows: list[tuple[int, str]] = cursor.fetchall()
    return rows
