"""A night of 22: people come, go and rest, and each draft says what it costs before its release."""

from collections.abc import Iterable

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, expect

from league.clubs.acts import players
from league.models import Event, Round
from league.nights.acts import attendance
from league.nights.facts.events import rounds_of
from league.nights.pages.draft_price import draft_price
from tests.browser.conftest import PHONE, open_page, seen, sign_in
from tests.factories import NAMES, make_night, make_round, names_at, owner_of, play
from tests.shares import share

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("language", share(["en-GB", "vi-VN"], 1, of=2))
def test_each_draft_of_an_evening_says_what_it_costs(browser, live_server, language):
    event = night_of_22()
    by = owner_of(event.season.club)
    for name in NAMES[:2]:
        player = players.find_by_name(club=event.season.club, name=name)
        players.set_wishes(player=player, group="nhà An", together="", fixed_table=None, by=by)
    for _number in (1, 2):
        play_all(make_round(event))
    with (
        open_page(browser, live_server.url, size=PHONE, language=language) as page,
        translation.override(language[:2]),
    ):
        sign_in(page, by)
        page.goto(reverse("league:check_in", args=[event.season.club.slug, event.pk]))
        for late in ("Mai Tới", "Vinh Trễ"):
            page.locator("#guest input[name=name]").fill(late)
            page.locator("#guest .btn").click()
            expect(page.locator(".tap-left").get_by_text(late)).to_be_visible()
        press(page, NAMES[2:4], now="left")
        draw(page, 3)
        for turn in (1, 2, 3):
            if turn > 1:
                page.get_by_role("button", name=gettext("Redraw"), exact=True).click()
                expect(page.locator(".next-step .kind")).to_contain_text(str(turn))
            assert_price_is_said(page, event, named=4)
            for width in (360, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                seen(page, f"draft-price-{turn}-{width}-{language[:2]}")
        release(page)
        play_all(Round.objects.get(number=3, status="released"))
        page.goto(reverse("league:check_in", args=[event.season.club.slug, event.pk]))
        press(page, NAMES[3:4], now="here")
        draw(page, 4)
        assert_price_is_said(page, event, named=1)
        release(page)
    assert Round.objects.filter(event=event, status="released").count() == 4


def night_of_22() -> Event:
    event = make_night(16, rounds_planned=7, games_per_round=1)
    by = owner_of(event.season.club)
    six = "\n".join(f"Người {number}" for number in range(6))
    here = players.add_players(club=event.season.club, text=six, by=by).players
    ids = [one.pk for one in here]
    attendance.set_presence(event=event, player_ids=ids, presence="here", by=by)
    return event


def play_all(round_: Round) -> None:
    for table in round_.sittings.all():
        play(table, names_at(table))


def press(page: Page, names: Iterable[str], *, now: str) -> None:
    """Press these names on the check-in page, until they are what they were sent to be."""
    for name in names:
        page.locator(f".tap-{now} button", has_text=name).press("Enter")
        here = page.locator(".btn-here", has_text=name)
        expect(here).to_have_count(1 if now == "here" else 0)


def draw(page: Page, number: int) -> None:
    name = gettext("Draw round %(number)s") % {"number": number}
    page.get_by_role("button", name=name).click()
    expect(page.locator("#price")).to_be_visible()


def assert_price_is_said(page: Page, event: Event, *, named: int) -> None:
    """Compare the page with the price; `named` people came or left since the round before."""
    price = draft_price(rounds_of(event, with_drafts=True))
    expect(page.locator("#price")).to_have_text(price.title)
    assert len(price.changes) == named
    expect(page.locator(".draft-named")).to_have_count(len(price.again) + len(price.wishes) + named)


def release(page: Page) -> None:
    page.locator(".dock .btn-primary").click()
    expect(page.locator("#price")).to_have_count(0)
