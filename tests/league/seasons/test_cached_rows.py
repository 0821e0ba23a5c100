"""What the database keeps for the next release has a version, raised when its keys change."""

from dataclasses import fields
from zlib import crc32

import pytest
from django.urls import reverse

from engine.rules.specials import Special
from league.models import SeasonRow
from league.seasons.acts import season_cache
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts import season_cache as facts
from league.seasons.pages import past_seasons
from tests.factories import make_night, make_season, make_table, names_at, owner_of, path_of, play
from tests.league.seasons.test_past_seasons import close

pytestmark = pytest.mark.django_db

KEPT = "adjustments counts honours nights specials values"
"""What a row of standings keeps beside the fields of its type, which make its version."""


@pytest.fixture
def season():
    """A season whose rows have every key."""
    season = make_season(rules="mien-nam")
    sitting = make_table(make_night(season=season))
    keys = {place.entrant.player.name: place.entrant_id for place in sitting.places.all()}
    first, last = (keys[name] for name in (names_at(sitting)[0], names_at(sitting)[-1]))
    play(sitting, specials=[Special("chop", first, last, "R")])
    season_cache.prepare(season=season)
    return season


def test_a_long_season_that_was_never_counted_is_not_shown_as_empty(season, client, monkeypatch):
    season_cache.forget(club=season.club)
    monkeypatch.setattr(season_cache, "SMALL", 0)
    here, first = [season.club.slug, season.pk], season.club.players.first()
    paths = [reverse(f"api:{name}", args=here)
             for name in ("season_standings", "season_specials", "season_honours")]  # fmt: skip
    paths.append(reverse("api:season_row", args=[*here, first.pk]))
    for path in paths:
        answer = client.get(path)
        assert (answer.status_code, "being calculated" in answer.json()["detail"][0]) == (503, True)
    file = client.get(reverse("league:season_csv", args=[*here, "standings"]))
    assert file["Location"] == reverse("league:season", args=here)
    season_cache.prepare(season=season)
    assert client.get(paths[0]).json()["count"] == 4


def test_the_keys_of_the_standings_rows_change_with_their_version(season):
    rests = [row.rest for row in SeasonRow.objects.all()]
    keys = set().union(*rests).difference(facts._PLAIN, facts._EXACT)
    assert " ".join(sorted(keys)) == KEPT, "raise _MEANING in season_cache.py, then change this"


def test_a_new_field_of_a_row_is_kept_and_makes_a_new_version():
    """A column of the standings needs no word here: the rows of before are computed again."""
    names = [field.name for field in fields(StandingsRow)]
    assert f"{facts._MEANING}.{crc32(' '.join(names).encode())}" == facts.VERSION
    by_hand = {"entrant", "rank", "points", "games", "nights", "adjustments", "values", "counts"}
    unkept = {*names} - by_hand - {*facts._PLAIN, *facts._EXACT}
    assert not unkept, "season_cache.py keeps numbers, names and fractions: add this kind there"


def test_rows_of_another_version_are_not_read(season, client, monkeypatch):
    close(season)
    season_cache.prepare(season=season)
    club = season.club
    assert [own.name for own in past_seasons.medals(club)]
    SeasonRow.objects.update(rest={"of": "a release that kept other keys"})
    monkeypatch.setattr(facts, "VERSION", "4.1")
    assert facts.cached_standings(season).at is None
    assert past_seasons.medals(club) == []
    [past] = past_seasons.past_seasons([season])
    assert (past.podium, past.at) == ([], None)
    client.force_login(owner_of(club))
    page = path_of(season, "season")
    with monkeypatch.context() as large:
        large.setattr(season_cache, "SMALL", 0)  # So the rows are computed by a task, later.
        assert client.get(page).status_code == 200
    assert client.get(page, {"full": 1}).status_code == 200
    assert [own.name for own in past_seasons.medals(club)]
