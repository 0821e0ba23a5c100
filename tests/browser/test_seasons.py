"""The pictures of a season on a phone: nothing wider than the screen, nothing that axe finds."""

import pytest
from django.urls import reverse

from league.nights.acts import closing
from league.seasons.acts import seasons
from league.tasks import sweep_ratings, sweep_standings
from tests.browser.conftest import seen
from tests.factories import make_night, make_season, make_table, names_at, owner_of, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_pages_of_a_season_fit_a_phone(page):
    """A closed season of three nights, whose race names every line without scrolling."""
    season = make_season(rules="killa")
    club, by = season.club, owner_of(season.club)
    for _ in range(3):
        event = make_night(8, season=season, stake=2)
        for sitting in make_table(event).round.sittings.all():
            play(sitting, names_at(sitting))
        closing.close_event(event=event, by=by, despite_unfinished=True)
    seasons.set_status(season=season, status="closed", by=by)
    sweep_ratings()
    sweep_standings()
    rows = season.rows.select_related("player").order_by("position")
    for name, keys in {
        "past_seasons": [],
        "season_ratings": [season.pk],
        "season_money": [season.pk],
        "player": [rows[0].player_id],
        "season_pictures": [season.pk],
    }.items():
        page.goto(reverse(f"league:{name}", args=[club.slug, *keys]))
        seen(page, f"season-{name}")

    names = page.locator(".runners a")
    assert [name.strip() for name in names.all_inner_texts()] == [row.player.name for row in rows]
    assert page.locator(".race text").all_text_contents() == [
        str(number) for number in range(1, len(rows) + 1)
    ]
    for box in (page.locator(".race").bounding_box(), names.last.bounding_box()):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]
