"""What happened at the tables besides the places, and who holds a season's honours for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Season


class Specials(NamedTuple):
    """How often a player chopped, was chopped, kept a 2 or a bomb, never played, won as dealt."""

    player: int
    name: str
    chops: int
    chopped: int
    left: int
    cong: int
    instant_wins: int

    @property
    def any(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.chops + self.chopped + self.left + self.cong + self.instant_wins)


@dataclass(frozen=True)
class Honour:
    """A title of the season: its Vietnamese name, what it is for, who holds it and how often."""

    title: str
    reason: str | Promise
    player: int
    name: str
    count: int


_SPECIALS = """
    WITH things AS (
        SELECT (s.thing ->> 'kind') AS kind,
               (s.thing ->> 'by')::bigint AS actor, (s.thing ->> 'of')::bigint AS victim
        FROM league_result r
        JOIN league_sitting t ON t.id = r.sitting_id
        JOIN league_round n ON n.id = t.round_id
        JOIN league_event e ON e.id = n.event_id
        CROSS JOIN LATERAL jsonb_array_elements(r.specials) AS s (thing)
        WHERE e.season_id = %s AND r.current AND NOT r.void AND r.specials <> '[]'::jsonb
    ), told AS (
        SELECT actor AS entrant, CASE kind WHEN 'chop' THEN 'chops' ELSE kind END AS what
        FROM things WHERE actor IS NOT NULL
        UNION ALL
        SELECT victim, CASE kind WHEN 'chop' THEN 'chopped' ELSE kind END
        FROM things WHERE victim IS NOT NULL
    )
    SELECT p.id, p.name,
           count(*) FILTER (WHERE what = 'chops'), count(*) FILTER (WHERE what = 'chopped'),
           count(*) FILTER (WHERE what = 'left'), count(*) FILTER (WHERE what = 'cong'),
           count(*) FILTER (WHERE what = 'instant_win')
    FROM told
    JOIN league_entrant e ON e.id = told.entrant
    JOIN league_player own ON own.id = e.player_id
    JOIN league_player p ON p.id = coalesce(own.merged_into_id, own.id)
    GROUP BY p.id, p.name
"""

_TITLES: list[tuple[str, str | Promise, Callable[[Specials], int]]] = [
    ("Vua chặt heo", _("chopped most often"), lambda s: s.chops),
    ("Heo bị chặt", _("was chopped most often"), lambda s: s.chopped),
    ("Vua thối heo", _("was left with 2s or bombs most often"), lambda s: s.left),
    ("Vua cóng", _("had played no card most often when somebody went out"), lambda s: s.cong),
    ("Vua tới trắng", _("won most often as dealt"), lambda s: s.instant_wins),
]


def season_specials(season: Season) -> list[Specials]:
    """What happened to everybody in the season; nobody is listed with nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_SPECIALS, [season.pk])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return [Specials(*row) for row in rows]


def season_honours(specials: list[Specials]) -> list[Honour]:
    """Who leads in what; several hold a title together, and nobody holds one for nothing."""
    held: list[Honour] = []
    for title, reason, count in _TITLES:
        most = max(map(count, specials), default=0)
        held += [
            Honour(title, reason, own.player, own.name, most)
            for own in specials
            if most and count(own) == most
        ]
    return held
