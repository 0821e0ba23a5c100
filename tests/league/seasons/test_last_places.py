"""The last places beside the standings, and a player's own nights as bars."""

import datetime

import pytest

from league.seasons.pages.last_places import last_places, own_nights
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_season,
    make_table,
    names_at,
    path_of,
    play,
)

pytestmark = pytest.mark.django_db
FIRST = datetime.date(2015, 9, 4)


@pytest.fixture
def season():
    """Seven nights of four people: the same order each time, the last one turned round."""
    season = make_season(best_of=6)
    for week in range(7):
        night = make_night(4, season=season, date=FIRST + datetime.timedelta(weeks=week))
        sitting = make_table(night)
        names = sorted(names_at(sitting))
        play(sitting, names[::-1] if week == 6 else names)
    return season


def test_the_last_five_places_are_in_order_of_play(season):
    places = last_places(season)
    first, *_others, last = sorted(season.club.players.all(), key=lambda player: player.name)
    assert places[first.pk] == [1, 1, 1, 1, 4]
    assert places[last.pk] == [4, 4, 4, 4, 1]


def test_a_night_that_was_missed_is_none(season):
    night = make_night(0, season=season, date=FIRST + datetime.timedelta(weeks=8))
    players = season.club.players.order_by("name")
    night.entrants.exclude(player=players[0]).update(presence="here")
    sitting = make_table(night)
    play(sitting, sorted(names_at(sitting)))
    assert last_places(season)[players[0].pk][-1] is None
    assert last_places(season)[players[1].pk][-1] == 1


def test_a_dropped_night_is_dashed_and_told(season):
    first = season.club.players.order_by("name")[0]
    bars = own_nights(season, first).bars
    assert [bar.tone for bar in bars] == ["counts"] * 6 + ["dropped"]
    assert bars[0].height > bars[-1].height == 0
    first.user = make_member(season.club, "player")
    first.save()
    page = path_of(season, "season")
    text = browser_of(first.user).get(page).content.decode()
    assert "night-bars" in text
    assert "(not counted)" in " ".join(text.split())
    assert 'class="last-places"' in text
    full = browser_of(first.user).get(page, {"full": "1"}).content.decode()
    assert "Average place" in full
    assert 'class="last-places"' not in full
