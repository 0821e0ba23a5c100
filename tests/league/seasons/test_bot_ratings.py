"""Bots are rated by all their closed tournaments at once, beside the people of the season."""

import pytest

from engine.rules import ruleset
from league.arena.acts import bots
from league.models import Event, RatingState
from league.seasons.acts import ratings
from league.seasons.facts import ratings as selector
from league.seasons.facts.ratings import Scope
from league.tasks import sweep_ratings
from tests.factories import (
    make_night,
    make_season,
    make_table,
    make_tournament,
    names_at,
    owner_of,
    path_of,
    play_tournament,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def tournament(season, *names, deals=4, closed=True) -> Event:
    event = make_tournament(season, *names, deals=deals, ruleset=ruleset.preset("thirteen"))
    if closed:
        play_tournament(event)
    return event


@made_once
def season():
    """A season whose one tournament, of greedy and random, is closed and rated."""
    season = make_season()
    tournament(season, "greedy", "random")
    sweep_ratings()
    return season


def rated(scope) -> list[list[tuple[str, int]]]:
    state = selector.state_of(scope.club, scope.season)
    return [[(b["name"], b["games"]) for b in pool] for pool in state.bots] if state else []


def test_a_sweep_rates_the_bots_of_closed_tournaments_in_the_season_and_the_club():
    one = make_season()
    other = make_season(one.club)
    tournament(one, "greedy", "random")
    tournament(other, "greedy", "random", "random")
    tournament(other, "greedy", "sage", closed=False)
    assert {scope for scope, _stamp in selector.bots_behind()} == {
        Scope(one.club, one), Scope(one.club, other), Scope(one.club, None),
    }  # fmt: skip
    sweep_ratings()
    assert rated(Scope(one.club, one)) == [[("greedy", 8), ("random", 8)]]
    assert rated(Scope(one.club, other)) == [[("greedy", 12), ("random", 12)]]
    assert rated(Scope(one.club, None)) == [[("greedy", 20), ("random", 20)]]
    assert selector.bots_behind() == []


def test_a_tournament_that_goes_on_is_left_out_until_it_ends_again(season):
    event = season.events.get()
    bots.change_run(event=event, by=owner_of(season), change="extend", deals=2)
    sweep_ratings()
    assert rated(Scope(season.club, season)) == []
    assert selector.bots_behind() == []


def test_rating_people_anew_leaves_bots_to_the_next_sweep(season):
    before = rated(Scope(season.club, season))
    ratings.rebuild_ratings(club=season.club, season=season)
    sweep_ratings()
    assert rated(Scope(season.club, season)) == before != []


def test_the_page_says_who_is_rated_how(client):
    season = make_season()
    path = path_of(season, "season_ratings")
    assert "bots after their first tournament" in client.get(path).content.decode()
    sitting = make_table(make_night(season=season), games=1)
    tournament(season, "greedy", "random")
    sweep_ratings()
    page = client.get(path).content.decode()
    assert ">People<" in page
    assert page.index(names_at(sitting)[0]) < page.index("greedy")
    assert "8 games" in page
    assert "group 1" not in page


def test_bots_that_never_met_are_not_compared(season, client):
    tournament(season, "sage", "sage")
    sweep_ratings()
    page = client.get(path_of(season, "season_ratings")).content.decode()
    assert "Group 2 of bots that met" in page
    assert "be compared" in page


@pytest.mark.parametrize(
    ("name", "keys"), [("season_bot_ratings", ["pk"]), ("club_bot_ratings", [])]
)
def test_programs_and_spreadsheets_get_the_same(season, client, name, keys):
    scope = Scope(season.club, season if keys else None)
    pk = [season.pk][: len(keys)]
    found = client.get(path_of(season.club, f"api:{name}", *pk)).json()["results"]
    assert [(1, b["name"], b["games"]) for b in selector.state_of(*scope).bots[0]] == [
        (b["pool"], b["bot"], b["games"]) for b in found
    ]
    csv = path_of(season.club, f"{'season' if keys else 'club'}_csv", *pk, "bots")
    lines = client.get(csv).content.decode().splitlines()
    assert [line.split(",")[1] for line in lines[1:]] == [b["bot"] for b in found]


def test_two_versions_of_a_bot_are_told_apart():
    state = RatingState(
        bots=[
            [
                {"name": "greedy", "version": v, "rating": 1, "low": 0, "high": 2, "games": 3}
                for v in (1, 2)
            ]
        ]
    )
    [pool] = selector.bot_pools(state)
    assert [bot.row.name for bot in pool] == ["greedy, version 1", "greedy, version 2"]
