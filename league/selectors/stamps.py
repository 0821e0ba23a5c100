"""From what a season's rows are computed, as a short text that differs whenever that changed."""

from __future__ import annotations

from django.db import connection

from league.models import Season
from league.models.audit import NAMES

# Every change of an event raises its version; adjustments are never changed but revoked; names are
# logged; how the season counts is compared itself.
_STAMPS = """
    SELECT s.id, concat_ws(':',
        (SELECT concat_ws(':', count(*), sum(e.version)) FROM league_event e
         WHERE e.season_id = s.id),
        (SELECT concat_ws(':', count(*), count(a.revoked_at)) FROM league_adjustment a
         WHERE a.season_id = s.id),
        (SELECT max(l.id) FROM league_audit l
         WHERE l.club_id = s.club_id AND l.action IN %(names)s),
        md5(s.scoring::text || s.tie_breaks::text))
    FROM league_season s
"""


def stamp_of(season: Season) -> str:
    """The stamp of one season."""
    [(_key, stamp)] = _stamps(" WHERE s.id = %(season)s", season=season.pk)
    return stamp


def stamps() -> dict[int, str]:
    """The stamps of all seasons."""
    return dict(_stamps(""))


def _stamps(where: str, **values: int) -> list[tuple[int, str]]:
    names = ", ".join(f"'{name}'" for name in NAMES)
    with connection.cursor() as cursor:
        cursor.execute(_STAMPS.replace("%(names)s", f"({names})") + where, values)
        rows: list[tuple[int, str]] = cursor.fetchall()
    return rows
