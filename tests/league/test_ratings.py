"""Ratings: rebuilt from the results in order, with their uncertainty, when something changed."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Rating, Result
from league.selectors import ratings as selector
from league.services import merges, players, ratings, results
from league.tasks import sweep_ratings
from tests.factories import make_night, make_season, make_table, names_at, owner_of, play


@pytest.fixture
def sitting(db):
    found = make_table(make_night(season=make_season()))
    play(found, names_at(found))
    return found


def rated(season):
    return [r.player.name for r in selector.of_season(season)]


def test_who_wins_rises_and_who_loses_falls_and_doubt_shrinks():
    strengths = ratings.strengths_after([[(1, 1), (2, 2), (3, 3)]] * 5)
    assert strengths[1].mu > 25 > strengths[3].mu
    assert all(s.sigma < 25 / 3 and s.games == 5 for s in strengths.values())


def test_who_shares_a_place_is_rated_alike():
    strengths = ratings.strengths_after([[(1, 1), (2, 2), (3, 2)]])
    assert strengths[2] == strengths[3]


def test_the_order_of_the_games_matters_and_is_that_of_play():
    one, two = [(1, 1), (2, 2)], [(2, 1), (3, 2)]
    assert ratings.strengths_after([one, two]) != ratings.strengths_after([two, one])


def test_a_rebuild_ranks_the_players_and_leaves_out_games_that_do_not_count(sitting):
    season, order = sitting.round.event.season, names_at(sitting)
    assert ratings.rebuild_ratings(club=season.club, season=season) == 4
    assert rated(season) == order
    result = Result.objects.get()
    results.correct(sitting_id=sitting.pk, game_no=1, version=1, groups=[], void=True,
                    client_id=uuid.uuid4(), by=owner_of(season.club))  # fmt: skip
    assert ratings.rebuild_ratings(club=season.club, season=season) == 0
    assert (Rating.objects.count(), Result.objects.count(), result.version) == (0, 2, 1)


def test_names_of_one_person_have_one_rating(sitting):
    season, order = sitting.round.event.season, names_at(sitting)
    by = owner_of(season.club)
    into = players.add_player(club=season.club, name="Cô Ba", by=by)
    merges.merge(alias=players.named(club=season.club, name=order[0]), into=into, by=by)
    ratings.rebuild_ratings(club=season.club, season=season)
    assert rated(season)[0] == "Cô Ba"


def test_the_sweep_rebuilds_what_is_behind_and_only_that(sitting):
    season = sitting.round.event.season
    assert selector.outdated() == [season.pk]
    sweep_ratings()
    assert [Rating.objects.filter(season=s).count() for s in (season, None)] == [4, 4]
    Rating.objects.update(computed_at=timezone.now() + timedelta(minutes=1))
    assert selector.outdated() == []
    Rating.objects.update(computed_at=timezone.now() - timedelta(minutes=1))
    assert selector.outdated() == [season.pk]


@pytest.mark.parametrize("shown", [1, 3])
def test_the_page_takes_four_queries(client, db, shown, django_assert_num_queries):
    season = make_season()
    for name in "ABC"[:shown]:
        player = players.add_player(club=season.club, name=name, by=owner_of(season.club))
        Rating.objects.create(
            club=season.club, season=season, player=player, mu=25, sigma=8, games=1,
            computed_at=timezone.now(),
        )  # fmt: skip
    with django_assert_num_queries(4):
        client.get(reverse("league:season_ratings", args=[season.club.slug, season.pk]))
