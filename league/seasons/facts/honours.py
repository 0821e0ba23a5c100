"""Chops, penalties and instant wins of a season, and its titles."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Season
from league.models.shown_names import shown
from league.seasons.facts.standings import Standing
from tables.base.faces import Face


class Specials(NamedTuple):
    """A player's numbers of chops, times chopped, 2s or bombs left, cóng and instant wins."""

    player: int
    name: str
    chops: int
    chopped: int
    left: int
    cong: int
    instant_wins: int

    @property
    def any(self) -> bool:
        """Whether any number is above 0."""
        return bool(self.chops + self.chopped + self.left + self.cong + self.instant_wins)


@dataclass(frozen=True)
class Title:
    name: Promise
    reason: Promise


TITLES = {
    "firsts": Title(_("King of firsts"), _("most first places")),
    "chops": Title(_("King of chops"), _("most chops")),
    "chopped": Title(_("Chopped pig"), _("chopped most often")),
    "left": Title(_("King of thối"), _("most often left with 2s or bombs")),
    "cong": Title(_("King of cóng"), _("most often cóng")),
    "never_cong": Title(_("Never cóng"), _("most games without ever being cóng")),
    "instant_wins": Title(_("King of instant wins"), _("most instant wins")),
}
LEAST_GAMES = 10  # Below this number, games without cóng earn no title.


@dataclass(frozen=True)
class Honour:
    """A title with its holder, and the number of times or games; `face` where it is shown."""

    key: str
    player: int
    name: str
    count: int
    face: Face | None = field(default=None, compare=False)

    @property
    def title(self) -> str:
        return str(TITLES[self.key].name)

    @property
    def reason(self) -> Promise:
        return TITLES[self.key].reason


_SPECIALS = """
    WITH things AS (
        SELECT (s.thing ->> 'kind') AS kind,
               (s.thing ->> 'by')::bigint AS actor, (s.thing ->> 'of')::bigint AS victim
        FROM league_result r
        JOIN league_sitting t ON t.id = r.sitting_id
        JOIN league_round n ON n.id = t.round_id
        JOIN league_event e ON e.id = n.event_id
        CROSS JOIN LATERAL jsonb_array_elements(r.specials) AS s (thing)
        WHERE e.season_id = %(season)s AND r.current AND NOT r.void
          AND r.specials <> '[]'::jsonb{games}
          AND s.thing ->> 'kind' NOT IN ('cards', 'finish')
    ), counted AS (
        SELECT actor AS entrant, CASE kind WHEN 'chop' THEN 'chops' ELSE kind END AS what
        FROM things WHERE actor IS NOT NULL
        UNION ALL
        SELECT victim, CASE kind WHEN 'chop' THEN 'chopped' ELSE kind END
        FROM things WHERE victim IS NOT NULL
    )
    SELECT p.id, {name},
           count(*) FILTER (WHERE what = 'chops'), count(*) FILTER (WHERE what = 'chopped'),
           count(*) FILTER (WHERE what = 'left'), count(*) FILTER (WHERE what = 'cong'),
           count(*) FILTER (WHERE what = 'instant_win')
    FROM counted
    JOIN league_entrant e ON e.id = counted.entrant
    JOIN league_player own ON own.id = e.player_id
    JOIN league_player p ON p.id = coalesce(own.merged_into_id, own.id){people}
    GROUP BY p.id
"""
_GAMES = """
          AND r.id IN (
              SELECT g.result_id FROM league_placing g
              JOIN league_entrant c ON c.id = g.entrant_id
              JOIN league_event v ON v.id = c.event_id AND v.season_id = %(season)s
              JOIN league_player o ON o.id = c.player_id
              WHERE o.id = ANY(%(people)s) OR o.merged_into_id = ANY(%(people)s))"""
_PEOPLE = " AND p.id = ANY(%(people)s)"


def season_specials(season: Season, people: Collection[int] | None = None) -> list[Specials]:
    """Return the specials of everyone in the season, or of `people`.

    Players without any are left out.
    """
    query = (
        _SPECIALS.format(name=shown("p"), games=_GAMES, people=_PEOPLE)
        if people is not None
        else _SPECIALS.format(name=shown("p"), games="", people="")
    )
    with connection.cursor() as cursor:
        cursor.execute(query, {"season": season.pk, "people": list(people or ())})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return [Specials(*row) for row in rows]


def season_honours(specials: list[Specials], rows: Iterable[Standing]) -> list[Honour]:
    """Return the holders of the season's titles; tied leaders share one.

    Only people among the season's `rows` hold titles, and a count of 0 earns none. Never being cóng
    is a title only if someone else was.
    """
    people = [standing for standing in rows if not standing.player.bot]
    listed = {standing.player.pk for standing in people}
    specials = [own for own in specials if own.player in listed]
    caught = {own.player for own in specials if own.cong}
    counts = {
        key: [(own.player, own.name, getattr(own, key)) for own in specials]
        for key in ("chops", "chopped", "left", "cong", "instant_wins")
    }
    counts["firsts"] = [(s.player.pk, s.player.name, s.row.counts.get(1, 0)) for s in people]
    counts["never_cong"] = [
        (s.player.pk, s.player.name, s.row.games)
        for s in people
        if caught and s.row.games >= LEAST_GAMES and s.player.pk not in caught
    ]
    return [Honour(key, *line) for key in TITLES for line in _most(counts[key])]


def _most(counts: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    most = max((count for *_who, count in counts), default=0)
    return [line for line in counts if most and line[2] == most]
