"""Strangers on phones: one tap from the first page to cards, and a half hour with anyone."""

import datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.rules import ruleset
from tables.chairs.acts import seats
from tables.models import SprintEntry, Table
from tables.people.acts import sprints
from tables.views import lobby
from tests.browser.conftest import seen
from tests.browser.people import LOOK, take_turn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COUNT = """() => {
    window.flights = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        window.flights += 1;
        return animate.apply(this, given);
    };
}"""
CARDS = "#own .hand-pick > li"


def moved(pages: list[Page]) -> bool:
    """Plays for all of them until cards have flown at the first; whether they did."""
    for _ in range(400):
        if pages[0].evaluate("window.flights"):
            return True
        if not any(take_turn(page) for page in pages):
            pages[0].wait_for_timeout(LOOK)
    return False


def test_two_strangers_tap_once_and_play_with_each_other(people, monkeypatch):
    monkeypatch.setitem(lobby.USUAL, "rules", "penguin")
    monkeypatch.setitem(lobby.USUAL, "players", 2)
    monkeypatch.setattr(seats, "PATIENCE", datetime.timedelta(minutes=1))
    pages = [people.page(), people.page()]
    for page in pages:
        page.emulate_media(reduced_motion="no-preference")
        page.goto("/")
    for page in pages:
        page.get_by_role("button", name="or play online now").click(no_wait_after=True)
    for page in pages:
        expect(page.locator(CARDS)).to_have_count(13)
        page.evaluate(COUNT)
    assert Table.objects.get().seats.filter(bot="").count() == 2
    assert moved(pages)
    watching = people.page()
    watching.goto("/tables/")
    expect(watching.locator("#lobby-tables .rows a")).to_have_count(1)
    seen(watching, "lobby-360")


def test_a_phone_joins_a_half_hour_and_is_led_to_its_table(people):
    began = timezone.now() - datetime.timedelta(minutes=1)
    sprint = sprints.open_sprint(starts_at=began, ruleset=ruleset.preset("penguin"))
    page = people.page()
    page.goto(f"/tables/sprints/{sprint.key}/")
    page.get_by_role("button", name="Join in").click()
    expect(page.get_by_text("Your table will be ready in a moment.")).to_be_visible()
    seen(page, "sprint-360")
    SprintEntry.objects.update(waits_since=began)
    assert sprints.sweep() == 1
    expect(page.locator(CARDS)).to_have_count(13)
