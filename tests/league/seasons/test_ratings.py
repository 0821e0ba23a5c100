"""Ratings: rebuilt from the results in order, with their uncertainty, when something changed."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from openskill.models import PlackettLuce

from league.clubs.acts import merges, players
from league.models import Event, Rating, RatingPoint, RatingState, Result
from league.nights.acts import results
from league.seasons.acts import ratings
from league.seasons.facts import ratings as selector
from league.tasks import sweep_ratings
from tests.factories import make_night, make_season, make_table, names_at, owner_of, play
from tests.shares import share
from tests.worlds import made_once


@made_once
def sitting():
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


def test_ratings_are_those_that_the_library_gives_game_by_game(chance):
    model = PlackettLuce()
    known = {player: model.rating() for player in range(40)}
    games = []
    for _ in range(400):
        people = chance.sample(range(40), chance.randint(2, 8))
        games.append([(player, chance.randint(1, len(people))) for player in people])
        teams = [[known[player]] for player in people]
        rated = model.rate(teams, ranks=[float(rank) for _player, rank in games[-1]])
        known |= {player: rating for player, [rating] in zip(people, rated, strict=True)}
    first = ratings.strengths_after(games[:150])
    strengths = first | ratings.strengths_after(games[150:], first)
    assert strengths.keys() == known.keys()
    for player, strength in strengths.items():
        expected = known[player].mu, known[player].sigma
        assert (strength.mu, strength.sigma) == pytest.approx(expected, abs=1e-9)


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


def test_the_sweep_rates_what_is_behind_and_only_that(sitting):
    season = sitting.round.event.season
    assert selector.behind() == [(season.club, season), (season.club, None)]
    sweep_ratings()
    assert [Rating.objects.filter(season=s).count() for s in (season, None)] == [4, 4]
    assert selector.behind() == []
    play(sitting, names_at(sitting))
    assert len(selector.behind()) == 2
    sweep_ratings()
    assert set(Rating.objects.values_list("games", flat=True)) == {2}


def test_who_was_rated_longest_ago_is_rated_first(sitting):
    season = sitting.round.event.season
    second = make_table(make_night(5, season=make_season()))
    play(second, names_at(second))
    sweep_ratings()
    later = RatingState.objects.filter(club=season.club)
    later.update(computed_at=timezone.now() + timedelta(hours=1))
    for table in (sitting, second):
        play(table, names_at(table))
    other = second.round.event.season
    assert [scope.club for scope in selector.behind()] == [other.club] * 2 + [season.club] * 2
    RatingState.objects.filter(club=other.club).update(
        computed_at=timezone.now() + timedelta(hours=2)
    )
    assert [scope.club for scope in selector.behind()] == [season.club] * 2 + [other.club] * 2
    third = make_table(make_night(5, season=make_season()))
    play(third, names_at(third))
    new = third.round.event.season.club
    assert [scope.club for scope in selector.behind()] == [
        *(season.club, new, season.club, new),
        *[other.club] * 2,
    ]


# --- Night by night ------------------------------------------------------------------------------


def nights(season, number):
    """Tables of that many nights, one day apart, with a game each."""
    found = []
    for day in range(number):
        sitting = make_table(make_night(5, season=season))
        Event.objects.filter(pk=sitting.round.event_id).update(
            date=timezone.localdate() + timedelta(days=day)
        )
        play(sitting, names_at(sitting))
        found.append(sitting)
    return found


def believed(season):
    values = Rating.objects.filter(season=season).order_by("player")
    return list(values.values_list("player", "mu", "sigma", "games"))


def points(season):
    values = RatingPoint.objects.filter(season=season).order_by("event", "player")
    return list(values.values_list("event", "player", "mu", "sigma", "games"))


def correct(sitting, **details):
    old = sitting.results.get(current=True)
    keys = list(old.placings.order_by("-rank").values_list("entrant", flat=True))
    return results.correct(
        sitting_id=sitting.pk, game_no=1, version=old.version, groups=[[key] for key in keys],
        client_id=uuid.uuid4(), by=owner_of(sitting.round.event.season.club), **details,
    )  # fmt: skip


@pytest.mark.parametrize("at_once", [1, 2, 20])
def test_rating_night_by_night_equals_rating_everything_anew(db, monkeypatch, at_once):
    monkeypatch.setattr(ratings, "NIGHTS", at_once)
    season = make_season()
    tables = nights(season, 4)
    sweep_ratings()
    correct(tables[2])
    play(tables[3], names_at(tables[3]))
    into = players.add_player(club=season.club, name="Cô Ba", by=owner_of(season.club))
    for change in (
        lambda: None,
        lambda: correct(tables[0]),
        lambda: correct(tables[1], void=True),
        lambda: Event.objects.filter(pk=tables[3].round.event_id).update(
            date=timezone.localdate() - timedelta(days=9), version=99
        ),
        lambda: merges.merge(
            alias=players.named(club=season.club, name="An"), into=into, by=owner_of(season.club)
        ),
    ):
        change()
        sweep_ratings()
        for scope in (season, None):
            found = believed(scope), points(scope)
            ratings.rebuild_ratings(club=season.club, season=scope)
            assert found == (believed(scope), points(scope))
            assert found[0] != []


def test_a_new_result_rates_its_own_night_and_those_after_it_only(db):
    season = make_season()
    tables = nights(season, 3)
    sweep_ratings()
    old = dict(RatingPoint.objects.filter(season=season).values_list("pk", "event"))
    play(tables[1], names_at(tables[1]))
    sweep_ratings()
    kept = RatingPoint.objects.filter(pk__in=old).values_list("event", flat=True)
    assert set(kept) == {tables[0].round.event_id}


def test_a_sweep_out_of_time_leaves_the_rest_to_the_next_and_shows_the_old(db, monkeypatch):
    monkeypatch.setattr(ratings, "NIGHTS", 1)
    season = make_season()
    tables = nights(season, 3)
    sweep_ratings()
    before = believed(season)
    correct(tables[0])
    assert ratings.rate_next(club=season.club, season=season) == 2
    assert believed(season) == before
    state = selector.state_of(season.club, season)
    assert (len(state.nights), state.total) == (1, 3)
    assert ratings.rate_behind(seconds=0) == 0
    sweep_ratings()
    assert believed(season) != before
    assert selector.behind() == []


@pytest.mark.parametrize("shown", share([1, 3], 1, of=2))
def test_the_page_takes_five_queries(client, db, shown, django_assert_num_queries):
    season = make_season()
    for name in "ABC"[:shown]:
        player = players.add_player(club=season.club, name=name, by=owner_of(season.club))
        Rating.objects.create(
            club=season.club, season=season, player=player, mu=25, sigma=8, games=1,
            computed_at=timezone.now(),
        )  # fmt: skip
    with django_assert_num_queries(5):
        client.get(reverse("league:season_ratings", args=[season.club.slug, season.pk]))
