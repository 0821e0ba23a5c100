"""The pictures of a season on a phone: nothing wider than the screen, nothing that axe finds."""

from __future__ import annotations

import pytest
from django.urls import reverse

from league.nights.acts import closing
from league.seasons.acts import seasons
from league.tasks import sweep_ratings, sweep_standings
from tests.browser.conftest import check_page, shot
from tests.factories import make_night, make_season, make_table, names_at, owner_of, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def season():
    """A closed season of three nights."""
    made = make_season(rules="killa")
    by = owner_of(made.club)
    for _ in range(3):
        event = make_night(8, season=made, stake=2)
        for sitting in make_table(event).round.sittings.all():
            play(sitting, names_at(sitting))
        closing.close_event(event=event, by=by, despite_unfinished=True)
    seasons.set_status(season=made, status="closed", by=by)
    sweep_ratings()
    sweep_standings()
    return made


def test_the_pages_of_a_season_fit_a_phone(page, season):
    club = season.club
    leader = season.rows.get(position=1).player
    for name, keys in {
        "season_pictures": [season.pk],
        "past_seasons": [],
        "season_ratings": [season.pk],
        "season_money": [season.pk],
        "player": [leader.pk],
    }.items():
        page.goto(reverse(f"league:{name}", args=[club.slug, *keys]))
        check_page(page)
        shot(page, f"season-{name}")


def test_the_race_names_every_line_without_scrolling(page, season):
    page.goto(reverse("league:season_pictures", args=[season.club.slug, season.pk]))
    names = page.locator(".runners a")
    shown = [row.player.name for row in season.rows.select_related("player").order_by("position")]
    assert names.all_inner_texts() == shown
    assert page.locator(".race text").all_text_contents() == [
        str(number) for number in range(1, len(shown) + 1)
    ]
    for box in (page.locator(".race").bounding_box(), names.last.bounding_box()):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]
