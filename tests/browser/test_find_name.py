"""Finding a name among many at the door."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from league.services import players
from tests.browser.conftest import check_page, sign_in
from tests.factories import make_night, make_season, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_few_letters_without_accents_leave_the_right_name(page: Page, live_server):
    season = make_season()
    owner = owner_of(season.club)
    names = ["Đặng Hường", *(f"Người {number}" for number in range(100, 140))]
    players.add_players(club=season.club, text="\n".join(names), by=owner)
    event = make_night(0, season=season)
    sign_in(page, live_server.url, owner)
    page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/check-in/")
    chips = page.locator(".chips .btn")
    expect(chips).to_have_count(41)
    page.get_by_label("Find a name").fill("dang hu")
    expect(chips.filter(visible=True)).to_have_count(1)
    check_page(page)
    chips.filter(visible=True).click()
    expect(page.locator(".btn-here")).to_have_text("Đặng Hường")
    page.get_by_label("Find a name").fill("139")
    expect(chips.filter(visible=True)).to_have_text(["Người 139"])
