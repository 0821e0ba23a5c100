"""A night played online: a released round seats two people and bots; what they play counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from league.models import Result
from league.services import links, live
from tables.kept import forget_all
from tests.browser.conftest import EXPECTED, PHONE, check_page, shot
from tests.browser.live_site import clock, site
from tests.browser.test_table import LAPTOP, People, take_turn
from tests.factories import make_season, owner_of
from tests.league.online import make_online_night, online, release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(browser: Browser, settings) -> Iterator[People]:
    settings.TABLES_BOT_SECONDS = (0.05, 0.1)
    settings.TABLES_WINDOW_SECONDS = 1.0
    forget_all()
    with ExitStack() as stack:
        address = stack.enter_context(site())
        stack.enter_context(clock())
        found = People(browser, address, stack)
        yield found
        assert [p for p in found.problems if not any(e in p for e in (*EXPECTED, "net::"))] == []


def test_two_browsers_and_two_bots_play_a_round_and_the_season_has_it(people):
    season = make_season(rules="killa")
    event = make_online_night(2, season=season, stake=5, games_per_round=1)
    by = owner_of(season.club)
    for _ in range(2):
        live.add_bot(event=event, bot="greedy", by=by)
    link = links.renew_for_check_in(event=event, by=by)
    door = reverse("league:link_check_in", args=[links.secret_of(link)])
    pages = []
    for name, size in (("An", PHONE), ("Bình", LAPTOP)):
        event.entrants.filter(player__name=name).update(presence="expected")
        page = people.page(size=size)
        page.goto(door)
        page.get_by_role("button", name=name, exact=True).click()
        pages.append(page)
    release(event)
    for name, page in zip(("An", "Bình"), pages, strict=True):
        page.reload()
        check_page(page)
        shot(page, f"online-door-{name}")
        page.get_by_role("link", name=f"{name}: to your table").click()
        expect(page.locator("#own")).to_contain_text("Say that you are here")
    check_page(pages[0])
    shot(pages[0], "online-waiting-360")
    for page in pages:
        page.get_by_role("button", name="I am ready").click()
    for page in pages:
        expect(page.locator("#board-public")).to_have_attribute("data-status", "playing")
    for _ in range(400):
        if pages[0].locator("#board-public").get_attribute("data-status") == "closed":
            break
        if not any(take_turn(page) for page in pages):
            pages[0].wait_for_timeout(100)
    expect(pages[0].locator("#board-public")).to_have_attribute("data-status", "closed")
    shot(pages[0], "online-over-360")
    shot(pages[1], "online-over-1440")
    live.take_games(table_id=online(event).table_id)
    pages[0].get_by_role("link", name="To the results").click()
    expect(pages[0].locator(".finish")).to_have_count(1)
    pages[0].goto(reverse("league:season", args=[season.club.slug, season.pk]))
    expect(pages[0].locator("table").first).to_contain_text("An")
    check_page(pages[0])
    assert Result.objects.get().source == "live"
    assert sum(Result.objects.get().transfers.values_list("amount", flat=True)) >= 5


def test_the_organiser_follows_the_tables_on_a_phone_and_a_laptop(people):
    season = make_season(rules="killa")
    event = make_online_night(11, season=season, stake=5)
    by = owner_of(season.club)
    live.add_bot(event=event, bot="planner", by=by)
    release(event)
    for size, name in ((PHONE, "360"), (LAPTOP, "1440")):
        page = people.page(size=size)
        page.goto("/accounts/login/")
        page.get_by_label("Email").fill(by.email)
        page.get_by_label("Password").fill("s3cret-word")
        page.get_by_role("button", name="Sign In", exact=True).click()
        page.goto(reverse("league:online", args=[season.club.slug, event.pk]))
        expect(page.get_by_text("are ready")).to_have_count(3)
        page.get_by_text("How tonight is played").click()
        check_page(page)
        shot(page, f"online-organiser-{name}")
        page.goto(reverse("league:event", args=[season.club.slug, event.pk]))
        expect(page.get_by_role("link", name="3 tables play online")).to_be_visible()
        check_page(page)
        shot(page, f"online-event-{name}")
        page.goto(reverse("league:table", args=[season.club.slug, event.pk, 1, 1]))
        check_page(page)
        shot(page, f"online-table-{name}")
