"""What the database keeps for the next release has a version, raised when its keys change."""

import pytest
from django.urls import reverse

from engine.rules.specials import Special
from league.models import SeasonRow
from league.seasons.acts import season_cache
from league.seasons.facts import season_cache as facts
from league.seasons.pages import past_seasons
from tests.factories import make_night, make_season, make_table, names_at, owner_of, play
from tests.league.seasons.test_past_seasons import close

pytestmark = pytest.mark.django_db

STANDINGS = (
    2,
    "adjustments average_place beaten counts honours lasts money nights separated_by shared"
    " specials values",
)
"""The version of the rows of standings, and their keys."""


@pytest.fixture
def season():
    """A season whose rows have every key."""
    season = make_season(rules="mien-nam")
    sitting = make_table(make_night(season=season))
    keys = {place.entrant.player.name: place.entrant_id for place in sitting.places.all()}
    first, last = (keys[name] for name in (names_at(sitting)[0], names_at(sitting)[-1]))
    play(sitting, names_at(sitting), specials=[Special("chop", first, last, "R")])
    season_cache.prepare(season=season)
    return season


def test_the_keys_of_the_standings_rows_change_with_their_version(season):
    rests = [row.rest for row in SeasonRow.objects.all()]
    keys = " ".join(sorted(set().union(*rests)))
    assert (facts.VERSION, keys) == STANDINGS, "raise VERSION in season_cache.py, then change this"


def test_rows_of_another_version_are_not_read(season, client, monkeypatch):
    close(season)
    season_cache.prepare(season=season)
    club = season.club
    assert [own.name for own in past_seasons.medals(club)]
    SeasonRow.objects.update(rest={"of": "a release that kept other keys"})
    monkeypatch.setattr(facts, "VERSION", facts.VERSION + 1)
    assert facts.cached_standings(season).at is None
    assert past_seasons.medals(club) == []
    [past] = past_seasons.past_seasons([season])
    assert (past.podium, past.at) == ([], None)
    client.force_login(owner_of(club))
    page = reverse("league:season", args=[club.slug, season.pk])
    with monkeypatch.context() as large:
        large.setattr(season_cache, "SMALL", 0)  # So the rows are computed by a task, later.
        assert client.get(page).status_code == 200
    assert client.get(page, {"full": 1}).status_code == 200
    assert [own.name for own in past_seasons.medals(club)]
