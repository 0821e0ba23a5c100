"""The recap of a season: podium, most games, comeback, winning streaks and chops."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import connection
from django.utils.translation import get_language

from league.base.drawn_html import cache
from league.base.facts.next_nights import coming_nights
from league.base.lookup import seasons_to_see
from league.models import Event, Season, SeasonRow, shown_names
from league.models.shown_names import shown
from league.seasons.facts import standings
from league.seasons.facts.honours import Honour
from league.seasons.facts.season_cache import CachedStandings
from league.seasons.facts.standings import Standing
from league.seasons.pages import race

CACHED = 600
"""Seconds for which streaks and chops are cached."""
SHOWN, SENT = 3, 10


@dataclass(frozen=True)
class Comeback:
    """The leader's largest deficit: in points, behind which player, after which night."""

    name: str
    points: Fraction
    leader: str
    after: Event


@dataclass(frozen=True)
class SeasonRecap:
    """The recap of a season: `runs` are winning streaks, `chops` pairs of who chopped whom."""

    podium: list[Standing]
    first: list[Standing]
    nights: int
    people: int
    most: list[tuple[str, int]]
    comeback: Comeback | None
    honours: list[Honour]
    runs: list[list[Any]]
    chops: list[list[Any]]
    next_season: Season | None
    next_night: Event | None


def season_recap(season: Season, table: CachedStandings) -> SeasonRecap:
    """Return a season's recap, also while the season is open.

    Its most expensive queries are cached by the time of the standings.
    """
    at, read_as = table.at and table.at.timestamp(), f"{get_language()}:{shown_names.form()}"
    key = f"season-recap:{season.pk}:{at}:{read_as}"
    if (cached := cache.get(key)) is None:
        cached = {"runs": _asked(_RUNS, season), "chops": _asked(_CHOPS, season)}
        cache.set(key, cached, CACHED)
    first = table.rows.first_who_played(SENT)
    played = SeasonRow.objects.filter(season=season, games__gte=1, player__bot="")
    most = played.order_by("-games", "position").values_list("player__name", "games")[:SHOWN]
    seen = seasons_to_see(season.club)
    open_ones = seen.filter(status=Season.Status.OPEN).exclude(pk=season.pk)
    return SeasonRecap(
        podium=standings.first_three(first),
        first=first,
        nights=season.counted_events.filter(standings.PLAYED).count(),
        people=played.count(),
        most=list(most),
        comeback=_comeback(season, table),
        honours=table.rows.honours(),
        next_season=open_ones.order_by("starts_on", "pk").first(),
        next_night=coming_nights(season.club).filter(season__in=seen).first(),
        **cached,
    )


def _comeback(season: Season, table: CachedStandings) -> Comeback | None:
    """Return the leader's largest deficit behind another player of the race, or None."""
    nights, runners = race.race_sums(season, table.rows)
    if not runners:
        return None
    player, own = runners[0]
    gaps = [
        (sums[number] - own[number], other.name, night)
        for other, sums in runners[1:]
        for number, night in enumerate(nights)
    ]
    points, leader, night = max(gaps, key=lambda gap: gap[0], default=(Fraction(0), "", None))
    if night is None or points <= 0:
        return None
    return Comeback(player.name, points, leader, night)


def _asked(query: str, season: Season) -> list[list[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(
            query.format(**{of: shown(of) for of in "pab"}), {"season": season.pk, "shown": SHOWN}
        )
        return [list(row) for row in cursor.fetchall()]


_RUNS = """
    WITH games AS (
        SELECT coalesce(o.merged_into_id, o.id) AS player, p.rank = 1 AS won,
               row_number() OVER (
                   PARTITION BY coalesce(o.merged_into_id, o.id)
                   ORDER BY v.date, v.id, n.number, f.id
               ) AS no
        FROM league_event v
        JOIN league_round n ON n.event_id = v.id
        JOIN league_sitting t ON t.round_id = n.id
        JOIN league_result r ON r.sitting_id = t.id AND r.current AND NOT r.void
        JOIN league_result f ON f.sitting_id = t.id AND f.game_no = r.game_no AND f.version = 1
        JOIN league_placing p ON p.result_id = r.id
        JOIN league_entrant e ON e.id = p.entrant_id
        JOIN league_player o ON o.id = e.player_id AND o.bot = ''
        WHERE v.season_id = %(season)s
    ), won AS (
        SELECT player, no - row_number() OVER (PARTITION BY player ORDER BY no) AS run
        FROM games WHERE won
    ), runs AS (
        SELECT player, count(*) AS length FROM won GROUP BY player, run
    )
    SELECT {p}, max(length) FROM runs JOIN league_player p ON p.id = player
    GROUP BY p.id HAVING max(length) > 1 ORDER BY 2 DESC, p.sort_key, p.id LIMIT %(shown)s
"""
# Materialized: without statistics a planner that knows of few rows may join all people with all
# people before it reads a game.
_CHOPS = """
    WITH chops AS MATERIALIZED (
        SELECT (s.thing ->> 'by')::bigint AS actor, (s.thing ->> 'of')::bigint AS victim
        FROM league_event v
        JOIN league_round n ON n.event_id = v.id
        JOIN league_sitting t ON t.round_id = n.id
        JOIN league_result r ON r.sitting_id = t.id AND r.current AND NOT r.void
        CROSS JOIN LATERAL jsonb_array_elements(r.specials) AS s (thing)
        WHERE v.season_id = %(season)s AND r.specials <> '[]'::jsonb
          AND s.thing ->> 'kind' = 'chop'
    ), pairs AS MATERIALIZED (
        SELECT coalesce(x.merged_into_id, x.id) AS a, coalesce(y.merged_into_id, y.id) AS b,
               count(*) AS times
        FROM chops
        JOIN league_entrant own_x ON own_x.id = actor JOIN league_player x ON x.id = own_x.player_id
        JOIN league_entrant own_y ON own_y.id = victim
        JOIN league_player y ON y.id = own_y.player_id
        GROUP BY 1, 2
    )
    SELECT {a}, {b}, times
    FROM pairs JOIN league_player a ON a.id = pairs.a JOIN league_player b ON b.id = pairs.b
    ORDER BY times DESC, a.sort_key, b.sort_key, a.id, b.id LIMIT %(shown)s
"""
