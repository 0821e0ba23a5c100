"""The archive of a club: podiums of closed seasons, final tables that stay, who won how often."""

from datetime import timedelta

import pytest

from league.clubs.acts import merges, players
from league.exchange.pages import csv_tables
from league.models import SeasonTable
from league.nights.acts import bins, closing
from league.recap.pages import pictures
from league.seasons.acts import season_cache, seasons
from league.seasons.pages import past_seasons
from tests.factories import (
    make_club,
    make_member,
    make_night,
    make_season,
    make_table,
    owner_of,
    path_of,
    play,
)
from tests.shares import share

pytestmark = pytest.mark.django_db


def close(season):
    by = owner_of(season)
    for event in season.events.filter(status="open"):
        closing.close_event(event=event, by=by, despite_unfinished=True)
    return seasons.set_status(season=season, status="closed", by=by)


def over(club, *, order="An Bình Chi Dũng", shared=False):
    """A closed season with one game that ended in that order."""
    season = make_season(club, rules="killa")
    sitting = make_table(make_night(season=season))
    names = order.split()
    play(sitting, names)
    if shared:
        play(sitting, [names[1], names[0], *names[2:]])
    return close(season)


def page(client, club, **query):
    return client.get(path_of(club, "past_seasons"), query)


def podiums(club):
    found = past_seasons.past_seasons(past_seasons.closed_seasons(club))
    return {p.season.name: [(s.row.rank, s.player.name) for s in p.podium] for p in found}


def test_a_closed_season_stands_in_the_archive_with_its_first_three(club, client):
    season = over(club)
    make_season(club)
    season_cache.prepare_behind()
    assert podiums(club) == {season.name: [(1, "An"), (2, "Bình"), (3, "Chi")]}
    body = page(client, club).content.decode()
    assert path_of(club, "season", season.pk) in body
    assert "Dũng" not in body


def test_an_imported_night_before_the_first_day_begins_the_season(club):
    season = over(club)
    day = season.starts_on - timedelta(days=40)
    season.events.update(date=day)
    [past] = past_seasons.past_seasons([season])
    assert (past.begins, past.ends) == (day, season.ends_on or day)


def test_nights_called_off_or_in_the_bin_are_no_nights_of_the_season(club, client):
    season = make_season(club, rules="killa")
    by, day = owner_of(club), season.starts_on
    play(make_table(make_night(season=season)), ["An", "Bình", "Chi", "Dũng"])
    closing.call_off(event=make_night(0, season=season, date=day + timedelta(days=9)), by=by)
    bins.bin_event(event=make_night(0, season=season, date=day - timedelta(days=9)), by=by)
    [past] = past_seasons.past_seasons([close(season)])
    assert (past.nights, past.begins, past.ends) == (1, day, day)
    assert pictures.of_season(season, []).subtitle.endswith("1 night")


def test_the_file_of_past_seasons_has_the_days_of_the_page(club):
    season = over(club)
    day = season.starts_on - timedelta(days=40)
    season.events.update(date=day)
    season_cache.prepare_behind()
    rows = list(csv_tables.of_club(club, "past-seasons").rows)
    assert {tuple(row[1:3]) for row in rows} == {(day, day)}


def test_whoever_shares_a_rank_shares_the_podium(club):
    season = over(club, shared=True)
    season_cache.prepare_behind()
    assert podiums(club)[season.name] == [(1, "An"), (1, "Bình"), (3, "Chi")]


def test_medals_are_counted_over_all_closed_seasons_and_follow_merged_names(club, client):
    over(club)
    over(club, order="Bình Chi An Dũng")
    over(club, order="Bình An Chi Dũng")
    season_cache.prepare_behind()
    counted = {m.name: (m.first, m.second, m.third) for m in past_seasons.medals(club)}
    assert counted == {"Bình": (2, 1, 0), "An": (1, 1, 1), "Chi": (0, 1, 2)}
    assert [m.name for m in past_seasons.medals(club)] == ["Bình", "An", "Chi"]
    into = players.add_player(club=club, name="Cô Ba", by=owner_of(club))
    merges.merge(alias=players.named(club=club, name="Bình"), into=into, by=owner_of(club))
    season_cache.prepare_behind()
    assert past_seasons.medals(club)[0].name == "Cô Ba"


def test_a_season_not_counted_yet_says_so_and_one_without_games_too(club, client):
    over(club)
    empty = close(make_season(club))
    assert "being calculated" in page(client, club).content.decode()
    season_cache.prepare_behind()
    body = page(client, club).content.decode()
    assert "being calculated" not in body
    assert "Nobody played this season." in body
    assert podiums(club)[empty.name] == []


def test_a_final_table_stays_as_it_was_until_the_season_is_opened_again(club):
    season = over(club)
    season_cache.prepare_behind()
    at = SeasonTable.objects.get(season=season).computed_at
    make_night(season=make_season(club))
    assert season_cache.prepare_behind() == 0
    assert season_cache.standings_of(season=season).at == at


def test_a_club_without_past_seasons_says_what_comes(client):
    assert "No finished seasons yet" in page(client, make_club()).content.decode()


def test_an_archive_that_is_not_public_is_for_members(client):
    club = make_club(is_public=False)
    assert page(client, club).status_code == 404
    client.force_login(make_member(club, "player"))
    assert page(client, club).status_code == 200


@pytest.mark.parametrize("number", share([1, 3], 1, of=2))
def test_the_archive_takes_seven_queries(club, client, number, django_assert_num_queries):
    for _ in range(number):
        over(club)
    season_cache.prepare_behind()
    with django_assert_num_queries(7):
        page(client, club)
