"""Ratings of people: Plackett-Luce (openskill), rated from the results in their order.

Each rating has an uncertainty: beating a strong table raises it more than beating a weak one. Weng
and Lin, "A Bayesian approximation method for online ranking" (JMLR 12, 2011).

The ratings after each night are stored. A changed night is rated again with all later ones, from
the ratings before it, `NIGHTS` nights per transaction: a new result costs one night, and an old
correction never blocks anyone for long.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from django.db import connection, transaction
from django.utils import timezone
from openskill.models import PlackettLuce, PlackettLuceRating

from league.base.acts.sweeps import each
from league.models import Club, Rating, RatingPoint, RatingState, Season
from league.seasons.facts import ratings as selector

NIGHTS = 20  # Per transaction.
SECONDS = 5.0  # Per sweep; sweeps run once a minute, so they use at most a twelfth of a core.

MODEL = PlackettLuce()

RatedGame = list[tuple[int, int]]
"""The players of a game with their ranks, best first."""
_rank = itemgetter(1)


class Skill(NamedTuple):
    """A player's rating: its estimate, its standard deviation and the number of games."""

    mu: float
    sigma: float
    games: int


def rate_behind(*, seconds: float = SECONDS) -> int:
    """Rate what changed, for at most `seconds`; return how many ratings are complete now."""
    end = time.monotonic() + seconds

    def rate(scope: selector.Scope) -> bool:
        while time.monotonic() < end:
            if not rate_next(club=scope.club, season=scope.season):
                return True
        return False

    return each(selector.behind(), rate)


def rebuild_ratings(*, club: Club, season: Season | None = None) -> int:
    """Rate all nights of a season or of the club from scratch; return the number of players.

    The ratings equal those computed night by night.
    """
    RatingState.objects.filter(club=club, season=season).delete()
    while rate_next(club=club, season=season):
        pass
    return Rating.objects.filter(club=club, season=season).count()


@transaction.atomic
def rate_next(*, club: Club, season: Season | None = None) -> int:
    """Rate the first `NIGHTS` outdated nights; return how many are left."""
    RatingState.objects.get_or_create(club=club, season=season)
    state = RatingState.objects.select_for_update().get(club=club, season=season)
    wanted, stamp = selector.nights_of(club, season)
    done = _still_true(state, wanted, selector.names_of(club))
    batch = wanted[done : done + NIGHTS]
    if not done or done < len(state.nights):
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


def _still_true(state: RatingState, wanted: Sequence[selector.NightVersion], names: int) -> int:
    """Return how many nights from the start are rated in their current version."""
    if state.names != names:
        return 0
    same = 0
    for old, new in zip(state.nights, wanted, strict=False):
        if old != new:
            break
        same += 1
    return same


def _rate(club: Club, season: Season | None, events: Sequence[int]) -> None:
    """Add rating points for these nights, which follow all nights that have points."""
    nights = games_of(events)
    people = {player for games in nights.values() for game in games for player, _rank in game}
    values = {"club": club.pk, "season": season.pk if season else None, "people": list(people)}
    with connection.cursor() as cursor:
        cursor.execute(_LATEST + " AND p.player_id = ANY(%(people)s)" + _ORDER, values)
        believed = {player: Skill(*rest) for player, *rest in cursor.fetchall()}
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
    games: Iterable[RatedGame], before: Mapping[int, Skill] | None = None
) -> dict[int, Skill]:
    """Return everyone's rating after these games.

    `before` holds the ratings of known players; others start with the default.
    """
    before = before or {}
    ratings: dict[int, PlackettLuceRating] = {}
    played: dict[int, int] = {}
    for game in games:
        for player, _rank in game:
            if player not in ratings:
                known = before.get(player)
                new = MODEL.rating(mu=known.mu, sigma=known.sigma) if known else MODEL.rating()
                ratings[player], played[player] = new, known.games if known else 0
            played[player] += 1
        _rate_game(game, ratings)
    return {
        player: Skill(rating.mu, rating.sigma, played[player]) for player, rating in ratings.items()
    }


def _rate_game(game: RatedGame, ratings: dict[int, PlackettLuceRating]) -> None:
    """Update the ratings by one game, like `MODEL.rate` but in place.

    Two thirds of `rate` is copying and checking, so its two steps are run directly: add `tau` for
    possible drift since the last game, then rate the game in order of rank.
    """
    order = sorted(game, key=_rank)
    teams = []
    for player, _place in order:
        rating = ratings[player]
        rating.sigma = math.sqrt(rating.sigma * rating.sigma + MODEL.tau * MODEL.tau)
        teams.append([rating])
    rated = MODEL._compute(teams=teams, ranks=[float(rank) for _player, rank in order])
    for (player, _place), [rating] in zip(order, rated, strict=True):
        ratings[player] = rating


_LATEST = """
    SELECT DISTINCT ON (p.player_id) p.player_id, p.mu, p.sigma, p.games
    FROM league_ratingpoint p JOIN league_event e ON e.id = p.event_id
    WHERE p.club_id = %(club)s AND p.season_id IS NOT DISTINCT FROM %(season)s
"""
_ORDER = " ORDER BY p.player_id, e.date DESC, e.id DESC"


def _publish(club: Club, season: Season | None) -> None:
    """Replace the displayed ratings by everyone's latest rating points."""
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


_GAMES = """
    SELECT n.event_id,
           array_agg(coalesce(o.merged_into_id, o.id) ORDER BY p.rank, p.seat),
           array_agg(p.rank ORDER BY p.rank, p.seat)
    FROM league_round n
    JOIN league_sitting s ON s.round_id = n.id
    JOIN league_result r ON r.sitting_id = s.id AND r.current
    JOIN league_placing p ON p.result_id = r.id
    JOIN league_entrant e ON e.id = p.entrant_id
    JOIN league_player o ON o.id = e.player_id
    WHERE n.event_id = ANY(%s)
    GROUP BY n.event_id, n.number, s.table_no, r.game_no, r.id
    ORDER BY n.event_id, n.number, s.table_no, r.game_no, r.id
"""


def games_of(events: Sequence[int]) -> dict[int, list[RatedGame]]:
    """Return the current games of these nights in order of play, each by rank."""
    found: dict[int, list[RatedGame]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_GAMES, [list(events)])
        for event, players, ranks in cursor.fetchall():
            found.setdefault(event, []).append(list(zip(players, ranks, strict=True)))
    return found
