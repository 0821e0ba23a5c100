"""A night in San Jose, read in Saigon: two clocks, at 360 pixels and on a laptop."""

import datetime

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from league.turnout.acts import sign_ups
from tests.browser.conftest import open_page, seen, sign_in
from tests.factories import make_club, make_member, make_night, make_season, night_secret, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}
ZONE = "America/Los_Angeles"


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["360", "1440"])
def test_a_night_far_away_shows_its_clock_and_ones_own(browser: Browser, live_server, size):
    season = make_season(make_club(name="Hội San Jose", time_zone=ZONE))
    club, owner = season.club, owner_of(season.club)
    day = club.today + datetime.timedelta(days=3)
    event = make_night(4, season=season, date=day, starts_at=datetime.time(20))
    sign_ups.open_list(event=event, by=owner)
    name = f"zones-{size['width']}"
    with open_page(browser, live_server.url, size=size, language="vi-VN") as page:
        page.goto("/")  # The first page tells the server the browser's zone.
        page.goto(reverse("league:link_night", args=[night_secret(event)]))
        expect(page.locator(".clocks > div")).to_have_count(2)
        expect(page.locator(".clocks > div").nth(0)).to_contain_text("Sài Gòn")
        expect(page.locator(".clocks > div").nth(1)).to_contain_text("20:00 San Jose")
        expect(page.get_by_role("main").get_by_text("20:00")).to_have_count(1)
        seen(page, f"{name}-night")
        sign_in(page, make_member(club, "organiser"))
        page.goto(reverse("league:club", args=[club.slug]))
        seen(page, f"{name}-club")
        page.goto("/people/me/?settings=1")
        page.locator("summary", has_text="Giờ theo máy: Sài Gòn").click()
        page.locator("#my-clock").fill("Houston")
        seen(page, f"{name}-me")
        page.get_by_role("button", name="Theo giờ này").click()
        expect(page.locator("summary", has_text="Giờ theo Houston")).to_be_visible()
        page.goto(reverse("league:club", args=[club.slug]))
        expect(page.get_by_text("chỗ bạn là 22:00").first).to_be_visible()
