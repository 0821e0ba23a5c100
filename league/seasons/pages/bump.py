"""Who rises and who falls: the leaders' rank after each night of a season, as lines."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from league.models import Event, Player, Season
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.rows import most_nights
from league.seasons.facts.season_cache import CachedRows
from league.seasons.pages.race import given, leaders_with_nights

COMPARED, RANKS, LEAST_NIGHTS = 30, 12, 3
BESIDE = 2
"""Neighbours of a visitor's player who are drawn, above and below."""
WIDTH, ROW, LEFT, DATE = 396.0, 26.0, 28.0, 52.0
"""The lines' width for any number of nights, a rank's height, the left edge, a date's width."""


@dataclass(frozen=True)
class BumpLine:
    """A player's line; `path` is SVG, `x` and `y` where it ends, `rank` the last one."""

    player: Player
    ranks: tuple[int | None, ...]
    path: str
    x: float
    y: float

    @property
    def rank(self) -> int | None:
        return self.ranks[-1]


@dataclass(frozen=True)
class Bump:
    """The lines of the leaders, best last, over the nights.

    `nights` are x, event and whether the date has room below it.
    `moves` are the places that each compared player rose in the last night, by key.
    """

    lines: list[BumpLine]
    nights: list[tuple[float, Event, bool]]
    levels: list[tuple[float, int]]
    width: float
    height: float
    moves: dict[int, int]
    shows_own: bool

    @property
    def climber(self) -> tuple[Player, int] | None:
        """Who of the shown rose most in the last night, and by how many places."""
        risen = [(self.moves.get(line.player.pk, 0), line.player) for line in self.lines]
        most, player = max(risen, key=lambda one: one[0])
        return (player, most) if most > 0 else None


def bump_of(season: Season, rows: CachedRows, own: Collection[int] = ()) -> Bump | None:
    """Return the chart of the leader, the `own` players and their neighbours.

    None below three nights; a visitor without a player among the first 12 sees the first five.

    After each night those with the most points from the nights that counted until then are first,
    with penalties and bonuses, among the first 30 of today.
    """
    if season.counted_events.count() < LEAST_NIGHTS:
        return None
    events, runners = leaders_with_nights(season, rows, COMPARED)
    if len(events) < LEAST_NIGHTS:
        return None
    scoring = Scoring.from_json(season.scoring)
    players = [row.player for row in runners]
    sums: list[list[Fraction | None]] = []
    for row in runners:
        of = {night.event: night.points for night in row.row.nights}
        line: list[Fraction | None] = []
        played: list[Fraction] = []
        beside = accumulate(given(row, events))
        for held, (event, more) in enumerate(zip(events, beside, strict=True), 1):
            if event.pk in of:
                played.append(of[event.pk])
            best = sorted(played, reverse=True)[: most_nights(scoring, held)]
            line.append(sum(best, more) if played else None)
        sums.append(line)
    ranks = [_ranks([line[at] for line in sums]) for at in range(len(events))]
    count = min(RANKS, len(players))
    last = len(events) - 1
    step = WIDTH / last
    every = max(3, math.ceil(DATE / step))
    lines = [
        _line(players[index], tuple(after[index] for after in ranks), count, step)
        for index in _shown([player.pk for player in players[:count]], own)
    ]
    return Bump(
        lines=lines[::-1],
        nights=[
            (
                round(LEFT + at * step, 1),
                event,
                at == last or (at % every == 0 and (last - at) * step > DATE),
            )
            for at, event in enumerate(events)
        ],
        levels=[(_y(rank, count), rank) for rank in range(1, count + 1, 2)],
        width=LEFT + WIDTH,
        height=_y(count, count) + ROW / 2,
        moves={
            player.pk: before - now
            for player, before, now in zip(players, ranks[-2], ranks[-1], strict=True)
            if before is not None and now is not None
        },
        shows_own=any(line.player.pk in own for line in lines),
    )


def _shown(players: Sequence[int], own: Collection[int]) -> list[int]:
    """Return the positions of the players whose lines are drawn, the best first."""
    mine = [at for at, player in enumerate(players) if player in own] or [BESIDE]
    near = {place for at in mine for place in range(at - BESIDE, at + BESIDE + 1)}
    return sorted({0, *near} & {*range(len(players))})


def _ranks(sums: Sequence[Fraction | None]) -> list[int | None]:
    """Return the rank of each sum, the largest first; equal sums keep their order."""
    order = sorted(
        (index for index, value in enumerate(sums) if value is not None),
        key=lambda index: (-(sums[index] or 0), index),
    )
    ranks: list[int | None] = [None] * len(sums)
    for rank, index in enumerate(order, 1):
        ranks[index] = rank
    return ranks


def _y(rank: int, count: int) -> float:
    """Return the height of a rank; those below the shown ones run along the bottom edge."""
    return ROW / 2 + (min(rank, count + 0.4) - 1) * ROW


def _line(player: Player, ranks: tuple[int | None, ...], count: int, step: float) -> BumpLine:
    points = [(LEFT + at * step, _y(rank, count)) for at, rank in enumerate(ranks) if rank]
    path = f"M{points[0][0]:g} {points[0][1]:g}" if points else ""
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (x0 + x1) / 2
        path += f"C{middle:g} {y0:g} {middle:g} {y1:g} {x1:g} {y1:g}"
    x, y = points[-1] if points else (0.0, 0.0)
    return BumpLine(player, ranks, path, x, y)
