"""Charts of a season: the race over its nights, and the crosstable of its leaders."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from django.db import connection

from league.models import Event, Player, Season
from league.seasons.facts import honours, player_rows
from league.seasons.facts.season_cache import CachedRows
from league.seasons.facts.standings import Standing, first_three

RUNNERS = 8
CROSSED = 12
WIDTH, HEIGHT, APART = 300.0, 260.0, 20.0


@dataclass(frozen=True)
class Runner:
    """One line of the race: its points in the chart, and the position of its label."""

    player: Player
    total: float
    points: str
    x: float
    y: float
    label_y: float


@dataclass(frozen=True)
class Race:
    """The leaders' points after each night, as lines in a box of 300 × 260."""

    runners: list[Runner]
    nights: list[tuple[float, str]]
    zero: float


@dataclass(frozen=True)
class HeadToHead:
    """The shared games of two players: how often the row's player was ahead, and behind."""

    games: int
    ahead: int
    behind: int


@dataclass(frozen=True)
class SeasonPictures:
    podium: list[Standing]
    race: Race | None
    names: list[Standing]
    crosstable: list[tuple[Standing, list[HeadToHead | None]]]
    honours: list[honours.Honour]


def season_pictures(season: Season, rows: CachedRows) -> SeasonPictures:
    """Return the season's podium, race, crosstable and honours."""
    events = sorted(season.counted_events, key=lambda event: (event.date, event.pk))
    crossed = rows.first_who_played(CROSSED)
    return SeasonPictures(
        podium=first_three(crossed),
        race=_race(_with_nights(crossed[:RUNNERS], season, events), events),
        names=crossed,
        crosstable=_crosstable(crossed, season),
        honours=rows.honours(),
    )


def leaders_with_nights(
    season: Season, rows: CachedRows, most: int
) -> tuple[list[Event], list[Standing]]:
    """Return the nights that were played, and the leaders' rows with their nights.

    Who has too few games for a rank is no leader, whatever their points.
    """
    events = sorted(season.counted_events, key=lambda event: (event.date, event.pk))
    leaders = [one for one in rows.first_who_played(most) if one.row.rank]
    runners = _with_nights(leaders, season, events)
    return _played(runners, events), runners


def race_sums(
    season: Season, rows: CachedRows
) -> tuple[list[Event], list[tuple[Player, list[Fraction]]]]:
    """Return the nights, and the leaders' points after each of them."""
    played, runners = leaders_with_nights(season, rows, RUNNERS)
    return played, [(row.player, _sums(row, played)) for row in runners]


def crosstable_of(
    season: Season, rows: CachedRows
) -> list[tuple[Standing, list[HeadToHead | None]]]:
    """Return the leaders with their head-to-head records."""
    return _crosstable(rows.first_who_played(CROSSED), season)


def _with_nights(
    rows: Sequence[Standing], season: Season, events: Sequence[Event]
) -> list[Standing]:
    """Return the rows, computed again with their nights."""
    keys = [row.player.pk for row in rows]
    made = player_rows.rows_of(keys, season, {event.pk: event for event in events})
    return [Standing(row.player, made[row.player.pk]) for row in rows]


def _race(rows: Sequence[Standing], events: Sequence[Event]) -> Race | None:
    played = _played(rows, events)
    if len(played) < 2:
        return None
    sums = [[float(value) for value in _sums(row, played)] for row in rows]
    low = min(0.0, *(min(line) for line in sums))
    span = (max(0.0, *(max(line) for line in sums)) - low) or 1.0
    step = WIDTH / (len(played) - 1)

    def height(value: float) -> float:
        return round(HEIGHT - (value - low) / span * HEIGHT, 1)

    labels = _apart([height(line[-1]) for line in sums])
    runners = [
        Runner(
            row.player,
            line[-1],
            " ".join(f"{round(i * step, 1)},{height(value)}" for i, value in enumerate(line)),
            WIDTH,
            height(line[-1]),
            label,
        )
        for row, line, label in zip(rows, sums, labels, strict=True)
    ]
    return Race(runners, [(round(i * step, 1), e.name) for i, e in enumerate(played)], height(0.0))


def _played(rows: Sequence[Standing], events: Sequence[Event]) -> list[Event]:
    return [e for e in events if any(n.event == e.pk for s in rows for n in s.row.nights)]


def _sums(standing: Standing, events: Sequence[Event]) -> list[Fraction]:
    """Return the sum of points after each night; only nights that count in the end add to it."""
    of = {night.event: night.points for night in standing.row.nights if night.counted}
    nights = (of.get(event.pk, Fraction(0)) for event in events)
    return list(accumulate(map(operator.add, nights, given(standing, events))))


def given(standing: Standing, events: Sequence[Event]) -> list[Fraction]:
    """Return the penalties and bonuses of each night.

    Those of the season are with the first night: nobody rises by them from one to the next.
    """
    at: dict[Any, int] = {event.pk: number for number, event in enumerate(events)}
    sums = [Fraction(0)] * len(events)
    for one in standing.row.adjustments:
        sums[at.get(one.event, 0)] += one.points
    return sums


def _apart(heights: Sequence[float]) -> list[float]:
    """Return label heights near those of the lines, in order and without overlap."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed: dict[int, float] = {}
    lowest = -APART
    for i in order:
        lowest = placed[i] = max(heights[i], lowest + APART)
    highest = HEIGHT
    for i in reversed(order):
        placed[i] = min(placed[i], highest)
        highest = placed[i] - APART
    return [round(placed[i], 1) for i in range(len(heights))]


_CROSSTABLE = """
    WITH games AS MATERIALIZED (
        SELECT p.result_id, p.rank, coalesce(o.merged_into_id, o.id) AS player
        FROM league_entrant e
        JOIN league_event v ON v.id = e.event_id AND v.season_id = %s
        JOIN league_player o ON o.id = e.player_id
        JOIN league_placing p ON p.entrant_id = e.id
        JOIN league_result r ON r.id = p.result_id AND r.current
        WHERE coalesce(o.merged_into_id, o.id) = ANY(%s)
    )
    SELECT a.player, b.player, count(*), count(*) FILTER (WHERE a.rank < b.rank),
           count(*) FILTER (WHERE a.rank > b.rank)
    FROM games a JOIN games b ON b.result_id = a.result_id AND b.player <> a.player
    GROUP BY 1, 2
"""


def _crosstable(
    rows: Sequence[Standing], season: Season
) -> list[tuple[Standing, list[HeadToHead | None]]]:
    keys = [row.player.pk for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(_CROSSTABLE, [season.pk, keys])
        found: list[tuple[Any, ...]] = cursor.fetchall()
    met = {(a, b): HeadToHead(*counts) for a, b, *counts in found}
    return [(row, [met.get((row.player.pk, key)) for key in keys]) for row in rows]
