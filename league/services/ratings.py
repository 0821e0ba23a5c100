"""Ratings beside points: Plackett-Luce (openskill), rated from the results in their order.

Order-aware and with its uncertainty: beating a strong table raises more than beating a weak one.
Weng and Lin, "A Bayesian approximation method for online ranking" (JMLR 12, 2011).

What is believed after each night is kept. A changed night is rated anew with all that follow it,
from what was believed before, some nights at a time: so a new result costs one night, and an old
one corrected never holds up anybody else for long.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from openskill.models import PlackettLuce, PlackettLuceRating

from league.models import Club, Placing, Rating, RatingPoint, RatingState, Season
from league.selectors import ratings as selector

NIGHTS = 20  # In one transaction.
SECONDS = 20.0  # In one sweep.

Game = list[tuple[int, int]]
"""The players of a game with their ranks."""


class Strength(NamedTuple):
    """What is believed of a player: the estimate, its standard deviation, from how many games."""

    mu: float
    sigma: float
    games: int


def rate_behind(*, seconds: float = SECONDS) -> int:
    """Rates what changed since, for so many seconds at most; how many ratings are complete now."""
    end, done = time.monotonic() + seconds, 0
    for scope in selector.behind():
        while time.monotonic() < end:
            if not rate_next(club=scope.club, season=scope.season):
                done += 1
                break
    return done


def rebuild_ratings(*, club: Club, season: Season | None = None) -> int:
    """Rates all nights of a season, or of the club, from the first one on; returns how many people.

    Equal to what results leave behind one by one.
    """
    RatingState.objects.filter(club=club, season=season).delete()
    while rate_next(club=club, season=season):
        pass
    return Rating.objects.filter(club=club, season=season).count()


@transaction.atomic
def rate_next(*, club: Club, season: Season | None = None) -> int:
    """Rates the first nights that are not rated as they are now; returns how many are left."""
    RatingState.objects.get_or_create(club=club, season=season)
    state = RatingState.objects.select_for_update().get(club=club, season=season)
    wanted, stamp = selector.nights_of(club, season)
    done = _still_true(state, wanted, selector.names_of(club))
    batch = wanted[done : done + NIGHTS]
    points = RatingPoint.objects.filter(club=club, season=season)
    points.exclude(event__in=[event for event, *_rest in wanted[:done]]).delete()
    _rate(club, season, [event for event, *_rest in batch])
    state.nights, state.names = wanted[: done + len(batch)], selector.names_of(club)
    state.total = len(wanted)
    left = len(wanted) - len(state.nights)
    if not left:
        state.stamp, state.computed_at = stamp, timezone.now()
        _publish(club, season)
    state.save()
    return left


def _still_true(state: RatingState, wanted: Sequence[selector.Night], names: int) -> int:
    """How many nights at the beginning are rated as they are now."""
    if state.names != names:
        return 0
    same = 0
    for old, new in zip(state.nights, wanted, strict=False):
        if old != new:
            break
        same += 1
    return same


def _rate(club: Club, season: Season | None, events: Sequence[int]) -> None:
    """Adds the points of these nights, which come after all that have points."""
    nights = _games(events)
    people = {player for games in nights.values() for game in games for player, _rank in game}
    believed = _believed(club, season, people)
    made = []
    for event in events:
        after = strengths_after(nights.get(event, []), believed)
        believed |= after
        made += [
            RatingPoint(club=club, season=season, event_id=event, player_id=player, **s._asdict())
            for player, s in after.items()
        ]
    RatingPoint.objects.bulk_create(made, batch_size=5_000)


def strengths_after(
    games: Iterable[Game], before: Mapping[int, Strength] | None = None
) -> dict[int, Strength]:
    """The strength after these games of everybody who played; `before` of those known before."""
    model, before = PlackettLuce(), before or {}
    ratings: dict[int, PlackettLuceRating] = {}
    played: dict[int, int] = {}
    for game in games:
        for player, _rank in game:
            if player not in ratings:
                known = before.get(player)
                new = model.rating(mu=known.mu, sigma=known.sigma) if known else model.rating()
                ratings[player], played[player] = new, known.games if known else 0
        teams = [[ratings[player]] for player, _rank in game]
        rated = model.rate(teams, ranks=[float(rank) for _player, rank in game])
        for (player, _rank), [rating] in zip(game, rated, strict=True):
            ratings[player] = rating
            played[player] += 1
    return {
        player: Strength(rating.mu, rating.sigma, played[player])
        for player, rating in ratings.items()
    }


_LATEST = """
    SELECT DISTINCT ON (p.player_id) p.player_id, p.mu, p.sigma, p.games
    FROM league_ratingpoint p JOIN league_event e ON e.id = p.event_id
    WHERE p.club_id = %(club)s AND p.season_id IS NOT DISTINCT FROM %(season)s
"""
_ORDER = " ORDER BY p.player_id, e.date DESC, e.id DESC"


def _believed(club: Club, season: Season | None, people: set[int]) -> dict[int, Strength]:
    """What is believed of these people so far."""
    values = {"club": club.pk, "season": season.pk if season else None, "people": list(people)}
    with connection.cursor() as cursor:
        cursor.execute(_LATEST + " AND p.player_id = ANY(%(people)s)" + _ORDER, values)
        return {player: Strength(*rest) for player, *rest in cursor.fetchall()}


def _publish(club: Club, season: Season | None) -> None:
    """Makes the last point of everybody the rating that is shown."""
    Rating.objects.filter(club=club, season=season).delete()
    values = {"club": club.pk, "season": season.pk if season else None, "now": timezone.now()}
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO league_rating"
            " (club_id, season_id, player_id, mu, sigma, games, computed_at)"
            " SELECT %(club)s, %(season)s::bigint, latest.*, %(now)s FROM"
            f" ({_LATEST}{_ORDER}) AS latest",
            values,
        )


def _games(events: Sequence[int]) -> dict[int, list[Game]]:
    """The current games of these nights in the order in which they were played, by rank."""
    path = "result__sitting__round"
    placings = (
        Placing.objects.filter(result__current=True, **{f"{path}__event__in": events})
        .order_by(
            f"{path}__event_id",
            f"{path}__number",
            "result__sitting__table_no",
            "result__game_no",
            "rank",
            "seat",
        )
        .values_list(
            f"{path}__event_id",
            "result_id",
            Coalesce("entrant__player__merged_into_id", "entrant__player_id"),
            "rank",
        )
    )
    found: dict[int, list[Game]] = {}
    for (event, _result), own in groupby(placings.iterator(20_000), key=lambda row: row[:2]):
        found.setdefault(event, []).append([(player, rank) for *_keys, player, rank in own])
    return found
