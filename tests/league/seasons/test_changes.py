"""The rows that pages read follow from the results at once, whatever changed in the season."""

import random

import pytest

from league.clubs.acts import merges, players
from league.seasons.acts import season_cache
from league.seasons.facts import standings
from tests.league.chaos import Chaos
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def chaos():
    """A season of three nights, each with eight games."""
    return Chaos(seed=5)


@pytest.mark.parametrize("seed", range(3))
def test_cached_rows_equal_those_of_the_season_after_many_changes(chaos, seed, monkeypatch):
    monkeypatch.setattr(season_cache, "MOST_TOUCHED", 0)
    chaos.dice = random.Random(seed)
    for _ in range(12):
        chaos.act()
        chaos.check_rows()


@pytest.mark.parametrize(
    "change",
    [
        lambda chaos: chaos.correct(),
        lambda chaos: chaos.correct(void=True),
        lambda chaos: chaos.adjust(),
        lambda chaos: chaos.weigh(),
        lambda chaos: chaos.recount(),
        lambda chaos: chaos.play_round(chaos.season.events.first()),
        lambda chaos: players.rename_player(player=chaos.somebody(), name="New", by=chaos.by),
        lambda chaos: players.anonymise_player(player=chaos.somebody(), by=chaos.by),
        lambda chaos: merges.merge(
            alias=players.named(club=chaos.club, name="Khách 1"),
            into=players.named(club=chaos.club, name="An"),
            by=chaos.by,
        ),
    ],
)
def test_whatever_changes_a_season_shows_at_once(chaos, change):
    season_cache.standings_of(season=chaos.season)
    change(chaos)
    chaos.season.refresh_from_db()
    shown = {s.player.name: s.row.points for s in standings.season_standings(chaos.season)}
    assert {
        s.player.name: s.row.points for s in season_cache.standings_of(season=chaos.season).rows
    } == shown
