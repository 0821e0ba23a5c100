"""Ratings beside points: Plackett-Luce (openskill), rebuilt from the results in their order.

Order-aware and with its uncertainty: beating a strong table raises more than beating a weak one.
Weng and Lin, "A Bayesian approximation method for online ranking" (JMLR 12, 2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from openskill.models import PlackettLuce, PlackettLuceRating

from league.models import Club, Placing, Rating, Season


class Strength(NamedTuple):
    """What is believed of a player: the estimate, its standard deviation, from how many games."""

    mu: float
    sigma: float
    games: int


def rebuild_ratings(*, club: Club, season: Season | None = None) -> int:
    """Replaces the ratings of a season, or of the club over all seasons; returns how many."""
    now = timezone.now()
    strengths = strengths_after(_games(club, season))
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        Rating.objects.filter(club=club, season=season).delete()
        Rating.objects.bulk_create(
            (
                Rating(
                    club=club,
                    season=season,
                    player_id=player,
                    mu=strength.mu,
                    sigma=strength.sigma,
                    games=strength.games,
                    computed_at=now,
                )
                for player, strength in strengths.items()
            ),
            batch_size=2000,
        )
    return len(strengths)


def strengths_after(games: Iterable[list[tuple[int, int]]]) -> dict[int, Strength]:
    """The strength of everybody after these games, each given as (player, rank)."""
    model = PlackettLuce()
    ratings: dict[int, PlackettLuceRating] = {}
    played: dict[int, int] = {}
    for game in games:
        teams = [[ratings.get(player) or model.rating()] for player, _rank in game]
        rated = model.rate(teams, ranks=[float(rank) for _player, rank in game])
        for (player, _rank), [rating] in zip(game, rated, strict=True):
            ratings[player] = rating
            played[player] = played.get(player, 0) + 1
    return {
        player: Strength(rating.mu, rating.sigma, played[player])
        for player, rating in ratings.items()
    }


def _games(club: Club, season: Season | None) -> Iterator[list[tuple[int, int]]]:
    """The current games in the order in which they were played, as (player, rank) by rank."""
    of = {"season__club": club} if season is None else {"season": season}
    path = "result__sitting__round"
    placings = (
        Placing.objects.filter(
            result__current=True, **{f"{path}__event__{key}": value for key, value in of.items()}
        )
        .order_by(
            f"{path}__event__date",
            f"{path}__event_id",
            f"{path}__number",
            "result__sitting__table_no",
            "result__game_no",
            "rank",
            "seat",
        )
        .values_list(
            "result_id",
            Coalesce("entrant__player__merged_into_id", "entrant__player_id"),
            "rank",
        )
    )
    rows = placings.iterator(chunk_size=20_000)
    for _result, own in groupby(rows, key=lambda row: row[0]):
        yield [(player, rank) for _result, player, rank in own]
