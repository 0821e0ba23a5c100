"""From what a season's rows are computed, as a short text that differs whenever that changed."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from league.domain.scoring import Scoring
from league.models import Entrant, Season, SeasonTable
from league.models.audit import NAMES
from league.selectors import standings

Night = list[int]
"""An event, its version, and 1 where anything was played in it."""

# Every change of an event raises its version; adjustments are never changed but revoked; names are
# logged; how the season counts is compared itself. In three parts: what everybody's row depends on,
# the adjustments, the events.
_STAMPS = """
    SELECT s.id, concat_ws('|',
        concat_ws(':', md5(s.scoring::text || s.tie_breaks::text),
            (SELECT max(l.id) FROM league_audit l
             WHERE l.club_id = s.club_id AND l.action IN %(names)s)),
        (SELECT concat_ws(':', count(*), count(a.revoked_at)) FROM league_adjustment a
         WHERE a.season_id = s.id),
        (SELECT concat_ws(':', count(*), sum(e.version)) FROM league_event e
         WHERE e.season_id = s.id))
    FROM league_season s
"""


def stamp_of(season: Season) -> str:
    """The stamp of one season."""
    [(_key, stamp)] = _stamps(" WHERE s.id = %(season)s", season=season.pk)
    return stamp


def stamps() -> dict[int, str]:
    """The stamps of all seasons."""
    return dict(_stamps(""))


def nights_of(season: Season) -> list[Night]:
    """The season's nights as they are now."""
    found = season.events.annotate(played=standings.PLAYED).order_by("pk")
    return [[key, n, int(had)] for key, n, had in found.values_list("pk", "version", "played")]


def touched(
    season: Season, kept: SeasonTable, stamp: str, nights: Sequence[Night]
) -> set[int] | None:
    """The players whose numbers may differ from the kept rows; None where everybody's may."""
    old, new = kept.stamp.split("|"), stamp.split("|")
    was, now = ({key: rest for key, *rest in several} for several in (kept.nights, nights))
    if old[0] != new[0] or was.keys() - now.keys():
        return None
    if Scoring.from_json(season.scoring).drop_worst and _held(kept.nights) != _held(nights):
        return None
    changed = [key for key, rest in now.items() if was.get(key) != rest]
    here = Entrant.objects.filter(event__in=changed)
    people = set(here.values_list(standings.OWNER, flat=True))
    if old[1] != new[1]:
        people |= set(season.adjustments.values_list(standings.OWNER, flat=True))
    return people


def _held(nights: Sequence[Night]) -> int:
    return sum(played for _key, _version, played in nights)


def _stamps(where: str, **values: int) -> list[tuple[int, str]]:
    names = ", ".join(f"'{name}'" for name in NAMES)
    with connection.cursor() as cursor:
        cursor.execute(_STAMPS.replace("%(names)s", f"({names})") + where, values)
        rows: list[tuple[int, str]] = cursor.fetchall()
    return rows
