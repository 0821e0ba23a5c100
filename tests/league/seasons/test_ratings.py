"""Ratings: fitted anew to all results that count, in whatever order they came."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.clubs.acts import bins, merges, players
from league.models import Event, Rating, Result, Strength, StrengthPoint, StrengthState
from league.nights.acts import disputes
from league.proof.facts import verify_cached
from league.seasons.acts import ratings
from league.seasons.facts import ratings as selector
from league.tasks import sweep_ratings
from tests.factories import (
    browser_of,
    correct,
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.shares import share
from tests.worlds import made_once


@made_once
def sitting():
    return make_table(make_night(), games=1)


def rated(season):
    values = season.strengths.order_by("-mu", "player__sort_key")
    return [one.player.name for one in values.select_related("player")]


def test_a_rebuild_ranks_the_players_and_leaves_out_games_that_do_not_count(sitting):
    season, order = sitting.round.event.season, names_at(sitting)
    assert ratings.rebuild_ratings(club=season.club, season=season) == 4
    assert rated(season) == order
    result = Result.objects.get()
    correct(result, [], void=True)
    assert ratings.rebuild_ratings(club=season.club, season=season) == 0
    assert (Strength.objects.count(), Result.objects.count(), result.version) == (0, 2, 1)


def test_names_of_one_person_have_one_rating(sitting):
    season, order = sitting.round.event.season, names_at(sitting)
    by = owner_of(season)
    into = players.add_player(club=season.club, name="Cô Ba", by=by)
    merges.merge(alias=players.named(club=season.club, name=order[0]), into=into, by=by)
    ratings.rebuild_ratings(club=season.club, season=season)
    assert rated(season)[0] == "Cô Ba"


def test_the_sweep_rates_what_is_behind_and_only_that(sitting):
    season = sitting.round.event.season
    assert selector.behind() == [(season.club, season), (season.club, None)]
    sweep_ratings()
    assert [Strength.objects.filter(season=s).count() for s in (season, None)] == [4, 4]
    assert selector.behind() == []
    play(sitting)
    assert (season.club, season) in selector.behind()
    sweep_ratings()
    assert set(Strength.objects.values_list("games", flat=True)) == {2}


def test_a_club_in_the_bin_with_a_night_keeps_nobody_from_being_rated(sitting):
    other = make_night(0).season.club
    bins.bin_club(club=other, by=owner_of(other))
    sweep_ratings()
    assert Strength.objects.count() == 8


def test_who_was_rated_longest_ago_is_rated_first(sitting):
    season = sitting.round.event.season
    second = make_table(make_night(5), games=1)
    sweep_ratings()
    later = StrengthState.objects.filter(club=season.club)
    later.update(computed_at=timezone.now() + timedelta(hours=1))
    for table in (sitting, second):
        play(table)
    other = second.round.event.season
    assert [scope.club for scope in selector.behind()] == [other.club] * 2 + [season.club] * 2
    StrengthState.objects.filter(club=other.club).update(
        computed_at=timezone.now() + timedelta(hours=2)
    )
    assert [scope.club for scope in selector.behind()] == [season.club] * 2 + [other.club] * 2
    third = make_table(make_night(5), games=1)
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
            date=season.club.today + timedelta(days=day)
        )
        play(sitting)
        found.append(sitting)
    return found


def believed(season):
    values = Strength.objects.filter(season=season).order_by("player")
    return list(values.values_list("player", "mu", "sigma", "games"))


def points(season):
    values = StrengthPoint.objects.filter(season=season).order_by("event", "player")
    return list(values.values_list("event", "player", "mu", "sigma", "games"))


@pytest.mark.parametrize("curve", [1, 2, 50])
def test_rating_night_by_night_equals_rating_everything_anew(db, monkeypatch, curve):
    monkeypatch.setattr(ratings, "CURVE", curve)
    season = make_season()
    tables = nights(season, 4)
    sweep_ratings()
    correct(tables[2].results.get(current=True))
    play(tables[3])
    into = players.add_player(club=season.club, name="Cô Ba", by=owner_of(season))
    for change in (
        lambda: None,
        lambda: correct(tables[0].results.get(current=True)),
        lambda: correct(tables[1].results.get(current=True), void=True),
        lambda: Event.objects.filter(pk=tables[3].round.event_id).update(
            date=season.club.today - timedelta(days=9), version=99
        ),
        lambda: merges.merge(
            alias=players.named(club=season.club, name="An"), into=into, by=owner_of(season)
        ),
    ):
        change()
        sweep_ratings()
        for scope in (season, None):
            found = believed(scope), points(scope)
            ratings.rebuild_ratings(club=season.club, season=scope)
            assert found == (believed(scope), points(scope))
            assert found[0] != []
            assert list(verify_cached.strengths(season.club, [season])) == []


def test_a_new_result_rates_its_own_night_and_those_after_it_only(db):
    season = make_season()
    tables = nights(season, 3)
    sweep_ratings()
    old = dict(StrengthPoint.objects.filter(season=season).values_list("pk", "event"))
    play(tables[1])
    sweep_ratings()
    kept = StrengthPoint.objects.filter(pk__in=old).values_list("event", flat=True)
    assert set(kept) == {tables[0].round.event_id}


def test_a_sweep_out_of_time_leaves_the_rest_to_the_next_and_shows_the_old(db):
    season = make_season()
    tables = nights(season, 3)
    sweep_ratings()
    before = believed(season)
    correct(tables[0].results.get(current=True))
    assert ratings.rate_behind(seconds=0) == 0
    assert believed(season) == before
    sweep_ratings()
    assert believed(season) != before
    assert selector.behind() == []


def test_another_version_of_the_model_rates_everything_anew(db, monkeypatch):
    season = make_season()
    nights(season, 2)
    sweep_ratings()
    StrengthPoint.objects.update(mu=1)
    for module in (selector, ratings):
        monkeypatch.setattr(module, "MODEL", 2)
    assert (season.club, season) in selector.behind()
    sweep_ratings()
    assert set(Strength.objects.values_list("model", flat=True)) == {2}
    assert not StrengthPoint.objects.filter(mu=1).exists()


# --- What counts ---------------------------------------------------------------------------------


def games_counted(season):
    ratings.rebuild_ratings(club=season.club, season=season)
    return sum(season.strengths.values_list("games", flat=True))


def test_a_game_that_waits_for_a_confirmation_does_not_count_yet(sitting):
    event = sitting.round.event
    Event.objects.filter(pk=event.pk).update(confirmed_by="organiser")
    assert games_counted(event.season) == 0
    by = owner_of(event)
    disputes.confirm(sitting_id=sitting.pk, game_no=1, version=1, by=by, organises=True)
    assert games_counted(event.season) == 4


def test_games_at_side_tables_do_not_count(sitting):
    round_, season = sitting.round, sitting.round.event.season
    for kind, counted in (("others", 0), ("final", 4)):
        pool = {"kind": kind, "no": 1, "members": [], "tables": [sitting.table_no]}
        round_.settings["pools"] = [pool]
        round_.save()
        assert games_counted(season) == counted


def test_a_seat_filled_by_a_bot_is_left_out_and_the_others_are_rated(sitting):
    season = sitting.round.event.season
    assert games_counted(season) == 4
    season.club.players.filter(name=names_at(sitting)[0]).update(bot="planner")
    assert games_counted(season) == 3


# --- What is shown -------------------------------------------------------------------------------


def strength(season, name, **figures):
    player = players.add_player(club=season.club, name=name, by=owner_of(season))
    return Strength.objects.create(
        club=season.club, season=season, player=player, model=1, computed_at=timezone.now(),
        **({"mu": 25, "sigma": 1, "games": 10} | figures),
    )  # fmt: skip


def test_the_list_goes_by_the_lower_end_and_by_games_until_ten(client, db):
    season = make_season()
    for name, mu, sigma, games in (
        ("Sure", 27, 0.5, 50), ("Wide", 29, 3, 12), ("Lucky", 40, 5, 2), ("Nearly", 20, 3, 9),
    ):  # fmt: skip
        strength(season, name, mu=mu, sigma=sigma, games=games)
    listed = [one.player.name for one in selector.of_season(season)]
    assert listed == ["Sure", "Wide", "Nearly", "Lucky"]
    keys = [season.club.slug, season.pk]
    page = client.get(reverse("league:season_ratings", args=keys)).content.decode()
    shown = " ".join(page.split())
    assert "2 of 10 games" in shown
    assert "40.0" not in shown
    assert "new scale" not in shown
    [last] = client.get(reverse("api:season_ratings", args=keys)).json()["results"][-1:]
    assert (last["rating"], last["games"], last["model"]) == (40, 2, 1)


def test_whoever_looks_is_told_once_that_the_scale_changed(sitting):
    season = sitting.round.event.season
    sweep_ratings()
    reader = browser_of(owner_of(season))
    path = path_of(season, "season_ratings")
    assert "new scale" not in reader.get(path).content.decode()
    player = season.club.players.first()
    Rating.objects.create(
        club=season.club, season=season, player=player, mu=25, sigma=1, games=1,
        computed_at=timezone.now(),
    )  # fmt: skip
    reader = browser_of(owner_of(season))
    assert "new scale" in reader.get(path).content.decode()
    assert "new scale" not in reader.get(path).content.decode()


@pytest.mark.parametrize("shown", share([1, 3], 1, of=2))
def test_the_page_takes_five_queries(client, db, shown, django_assert_num_queries):
    season = make_season()
    for name in "ABC"[:shown]:
        strength(season, name)
    with django_assert_num_queries(5):
        client.get(path_of(season, "season_ratings"))
