"""A phone without an account, and without scripts, says that its owner comes."""

import datetime

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from league.clubs.acts import players
from league.models import SignUpAnswer
from league.nights.acts import events
from league.turnout.acts import sign_ups
from tests.factories import NAMES, make_season, night_secret, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_two_taps_on_a_small_phone_without_scripts_say_yes(browser: Browser, live_server):
    season = make_season()
    by = owner_of(season.club)
    players.add_players(club=season.club, text="\n".join(NAMES), by=by)
    day = season.club.today + datetime.timedelta(days=2)
    night = events.create_event(
        season=season, by=by, name="Tối thứ Sáu", date=day, starts_at=datetime.time(20)
    )
    sign_up = sign_ups.open_list(event=night, by=by, places=12)
    for player in season.club.players.all()[:10]:
        sign_ups.answer(sign_up=sign_up, player=player, reply="yes", organises=True)
    phone = browser.new_context(
        viewport={"width": 360, "height": 740},
        base_url=live_server.url,
        locale="en-GB",
        java_script_enabled=False,
    )
    page = phone.new_page()
    page.goto(reverse("league:link_night", args=[night_secret(night)]))
    expect(page.get_by_text("10 people are coming.")).to_be_visible()
    page.get_by_role("link", name="Phương", exact=True).click()
    page.get_by_role("button", name="I'm coming").first.click()
    expect(page.get_by_text("One more makes 3 full tables of 4.")).to_be_visible()
    assert SignUpAnswer.objects.filter(player__name="Phương", is_in=True).exists()
    assert page.locator("html").evaluate("page => page.scrollWidth") <= 360
    phone.close()
