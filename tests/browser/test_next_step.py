"""Six evenings lived by the filled button of Next: whoever asks is told the same step."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Browser, Page, expect

from league.models import Event, Round
from league.nights.facts.night import Night
from league.nights.pages.next_step import told_to_the_room
from tests.browser.conftest import PHONE, check_page, open_page, sign_in
from tests.browser.evenings import LAPTOP, close_night
from tests.factories import make_night, names_at, owner_of, play
from tests.league.nights.test_stages import groups_night, knockout_night

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUEUE = {"kind": "loser_leaves"}
NIGHTS = {
    "four friends": lambda: make_night(4, format=QUEUE, counting="fixed", games_per_round=2),
    "groups and a final": groups_night,
    "an open night": lambda: make_night(8, format=QUEUE),
    "the same cards": lambda: make_night(
        8, format={"same_deals": True}, games_per_round=1, rounds_planned=1
    ),
    "a cup": lambda: knockout_night(8, rounds_planned=2),
    "ends early": lambda: make_night(8, games_per_round=1, rounds_planned=3),
}
MOST_STEPS = 24


@dataclass
class Step:
    """What a page says is next: its title and the words of its buttons."""

    title: str
    buttons: list[str]


def read(page: Page, address: str) -> Step | None:
    page.goto(address)
    if not page.locator(".next-step").count():
        return None
    buttons = page.locator(".next-step .btn").all_inner_texts()
    return Step(page.locator(".next-step h2").inner_text(), [one.strip() for one in buttons])


@dataclass
class Evening:
    event: Event
    host: Page
    wall: Page

    def at(self, name: str, *more: object) -> str:
        return reverse(f"league:{name}", args=[self.event.season.club.slug, self.event.pk, *more])

    def told(self) -> Step:
        """The step of Tables, which People, Standings and the room's screen must not contradict."""
        people = read(self.host, self.at("check_in"))
        standings = read(self.host, f"{self.at('event')}?show=standings")
        tables = read(self.host, self.at("event"))
        assert standings == tables
        if people is not None:  # It shows the code itself, and leads to itself no more.
            own = (gettext("QR code"), gettext("Check people in or out"))
            assert people.title == tables.title
            assert people.buttons == [one for one in tables.buttons if one not in own]
        assert self.host.locator(".next-step :is(.btn-primary, .btn-gold)").count() == 1
        self.wall.goto(self.at("wall"))
        if said := told_to_the_room(Night(self.event)):
            expect(self.wall.locator(".wall-notes")).to_contain_text(said)
        return tables

    def enter(self) -> bool:
        """Play a game wherever one is missing, unless the tables go on for as long as people do."""
        tables = Round.objects.filter(event=self.event, status="released").latest("number").sittings
        missing = [one for one in tables.all() if one.results.count() < self.wanted()]
        for sitting in missing:
            play(sitting, names_at(sitting))
        return bool(missing)

    def wanted(self) -> int:
        return self.event.rules_of_scoring.games_per_round or 1

    def press(self) -> None:
        """Press the one filled button of the page, and release the draft that it leads to."""
        self.host.locator(".next-step :is(.btn-primary, .btn-gold)").click()
        self.host.wait_for_load_state()
        release = self.host.get_by_role("button", name=gettext("Release"), exact=True)
        if release.count():
            release.click()
            self.host.wait_for_load_state()


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("kind", NIGHTS)
def test_the_filled_button_of_next_leads_through_the_evening(
    browser: Browser, live_server, kind: str, language: str
):
    event = NIGHTS[kind]()
    locale = {"en": "en-GB", "vi": "vi-VN"}[language]
    with (
        translation.override(language),
        open_page(browser, live_server.url, size=PHONE, language=locale) as host,
        open_page(browser, live_server.url, size=LAPTOP, language=locale) as wall,
    ):
        sign_in(host, owner_of(event.season.club))
        evening, titles = Evening(event, host, wall), []
        for _ in range(MOST_STEPS):
            event.refresh_from_db()
            if not event.is_open:
                break
            titles.append(evening.told().title)
            is_played = event.rounds.filter(status="released").exists() and evening.enter()
            if is_played:
                continue
            if kind in ("ends early", "an open night") and event.rounds.exists():
                close_night(host)
                host.wait_for_load_state()
            else:
                evening.press()
        assert not event.is_open, titles
        assert len({*titles}) >= 2
        assert read(host, evening.at("event")) is None
        check_page(host)
