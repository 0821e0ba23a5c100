"""A café's sign-in page between a phone and tables, talk, lists that ask, and money."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from league.models import Posting
from league.money.facts import open_debts
from tests.browser.conftest import EXPECTED, check_page, open_page, shot, sign_in
from tests.browser.people import PLAY, People, secret
from tests.browser.proxy import HEARD, MOODS, Foreign, Road, road_to
from tests.browser.test_deal import parts_of
from tests.browser.test_roads import a_sprint
from tests.browser.test_table import choose
from tests.factories import make_night, make_table, names_at, owner_of, play, put_to_yesterday
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
IN_BETWEEN = "[data-line=in-between]"
LOOKS = {"felt": "#the-table", "plain": "#plain"}


@pytest.fixture
def road(people: People) -> Iterator[Road]:
    """Everybody who comes from here on comes by this road."""
    with road_to(people.address) as road:
        people.address = road.address
        yield road
    people.problems[:] = [p for p in people.problems if not any(one in p for one in HEARD)]


def answers(road: Road, mood: Foreign, *pages: Page) -> None:
    """The portal changes its mood; what was said of the one before says nothing of this one."""
    road.answers(mood)
    for page in pages:
        page.evaluate("ask.unline('in-between')")


def says_so(page: Page) -> None:
    expect(page.locator(IN_BETWEEN)).to_contain_text("perhaps this Wi-Fi's sign-in page")
    expect(page.get_by_text("Go on")).to_have_count(0)


@pytest.fixture
def table():
    table = live.open_table("penguin", people=4)
    live.set_hands(table, live.HANDS)
    return table


@pytest.mark.parametrize("look", LOOKS)
def test_a_table_stays_as_it_was_seen_and_hears_news_afterwards(people, road, table, look):
    page = people.page(table, 1)
    page.clock.install()
    page.goto(f"/tables/{table.key}/?look={look}")
    address, parts = page.url, page.locator(LOOKS[look]).locator("h1, h2, .hand, #headline")
    before = parts.all_inner_texts()
    for mood in MOODS.values():
        answers(road, mood, page)
        page.evaluate("dispatchEvent(new Event('online'))")  # The phone has changed its network.
        road.waits_for("/view/", "/live/", times=1)
        page.clock.fast_forward(2500)
        road.waits_for("/view/")
        says_so(page)
        assert (page.url, parts.all_inner_texts()) == (address, before)
    road.all_is_well()
    page.clock.fast_forward(2500)
    road.waits_for("/view/", "/live/", times=1)
    expect(page.locator("[data-line]")).to_have_count(0)
    live.act(table, 0, "play", "3S")
    expect(page.locator("main")).to_contain_text("Guest 0: 3 of spades")


def test_a_move_waits_behind_every_mood_of_a_portal_and_is_made_once(people, road, table):
    page = people.page(table, 0)
    address = page.url
    choose(page, "3S")
    road.answers(next(iter(MOODS.values())))
    page.locator(PLAY).click()
    for mood in (*MOODS.values(), Foreign(204)):
        answers(road, mood, page)
        road.waits_for("/act/")
        expect(page.locator("#own [data-say]")).to_contain_text("Kept: it is sent as soon as")
        says_so(page)
    assert (page.url, live.current(table).actions.count()) == (address, 0)
    shot(page, "portal-move")
    road.all_is_well()
    expect(page.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
    expect(page.locator("[data-line]")).to_have_count(0)
    assert live.current(table).actions.count() == 1


def stays_unsent(page: Page, road: Road, field: str, told: str, words: str) -> None:
    """Under each mood what is typed stays in its field, and the page says that it was not sent."""
    box = page.locator(field)
    box.fill(words)
    for mood in MOODS.values():
        page.evaluate("(told) => { document.querySelector(told).textContent = '' }", told)
        answers(road, mood, page)
        for _ in range(3):  # A good answer that was on its way takes the line back.
            box.press("Enter")
            expect(page.locator(told)).to_contain_text("was not sent")
            if page.locator(IN_BETWEEN).is_visible():
                break
        says_so(page)
        expect(box).to_have_value(words)
        expect(box).to_be_focused()


def is_sent_now(page: Page, road: Road, field: str) -> None:
    road.all_is_well()
    page.locator(field).press("Enter")
    expect(page.locator(field)).to_have_value("")
    expect(page.locator("[data-line]")).to_have_count(0)


def test_what_is_typed_at_the_plain_table_stays_and_is_played_once(people, road, table):
    page = people.page(table, 0)
    page.goto(f"/tables/{table.key}/?look=plain")
    address = page.url
    stays_unsent(page, road, "#typed-words", "#live", "3 bich")
    assert (page.url, live.current(table).actions.count()) == (address, 0)
    check_page(page)
    shot(page, "portal-plain")
    is_sent_now(page, road, "#typed-words")
    assert live.current(table).actions.count() == 1


@pytest.mark.parametrize("look", LOOKS)
def test_what_is_said_stays_in_its_box_and_is_said_once(people, road, table, look):
    page = people.page(table, 0)
    page.goto(f"/tables/{table.key}/?look={look}" + ("#side" if look == "felt" else ""))
    address, said = page.url, page.locator("#talk-list [data-text]")
    stays_unsent(page, road, "#talk-text", "[data-talk-reason]", "Hello")
    assert page.url == address
    expect(said).to_have_count(0)
    is_sent_now(page, road, "#talk-text")
    expect(said).to_have_text(["Hello"])


def test_a_phone_behind_a_portal_mixes_once_the_network_is_back(people, road):
    """One answer of somebody else ended its part in this deal."""
    table = live.open_table(players=2, people=2)
    live.hurry_to(table, datetime.timedelta(minutes=5))
    people.page(table, 1)
    an, moods = people.page(), list(MOODS.values())
    an.clock.install()
    road.says = lambda _method, path: moods[0] if moods and "/mix/" in path else None
    an.goto(f"/tables/{table.key}/chair/{secret(table, 0)}/")
    while moods:
        road.waits_for("/mix/", times=1)
        says_so(an)
        an.evaluate("ask.unline('in-between')")
        moods.pop(0)
        road.asked.clear()
        an.clock.fast_forward(60_000)
    assert parts_of(table, an)
    expect(an.locator("[data-line]")).to_have_count(0)


def test_lists_that_ask_for_news_go_on_asking(people, road):
    sprint = a_sprint()
    asks = {reverse("tables:lobby"): "#lobby-tables",
            reverse("tables:sprint", args=[sprint.key]): "#sprint-now"}  # fmt: skip
    pages = {}
    for path in asks:
        page = pages[path] = people.page()
        page.clock.install()
        page.goto(path)
    before = {path: page.locator(asks[path]).inner_text() for path, page in pages.items()}
    pages[path].get_by_label("Your name").fill("Quynh Huong")
    for mood in MOODS.values():
        answers(road, mood, *pages.values())
        for path, page in pages.items():
            for times in (1, 2):
                page.clock.fast_forward(5000)
                road.waits_for(f"GET {path}", times=times)
            says_so(page)
            assert page.locator(asks[path]).inner_text() == before[path]
    expect(page.get_by_label("Your name")).to_have_value("Quynh Huong")
    road.all_is_well()
    for page in pages.values():
        page.clock.fast_forward(5000)
        expect(page.locator("[data-line]")).to_have_count(0)
    page.get_by_role("button", name="Join in").click()
    expect(page.get_by_text("Your table will be ready in a moment.")).to_be_visible()
    assert [entry.name for entry in sprint.entries.all()] == ["Quynh Huong"]


@pytest.mark.parametrize("where", ["event_money", "season_money"])
def test_a_payment_that_a_portal_answers_is_noted_once_afterwards(
    browser: Browser, live_server, monkeypatch, where
):
    monkeypatch.setattr("tests.browser.conftest.EXPECTED", (*EXPECTED, *HEARD))
    sitting = make_table(make_night(rules="killa", stake=10))
    event = sitting.round.event
    play(sitting, names_at(sitting))
    put_to_yesterday(event.season)
    club = event.season.club
    pk = event.pk if where == "event_money" else event.season_id
    with road_to(live_server.url) as road, open_page(browser, road.address) as page:
        sign_in(page, owner_of(club))
        page.goto(reverse(f"league:{where}", args=[club.slug, pk]))
        address, money = page.url, page.locator("#money")
        before = money.inner_text()
        for mood in MOODS.values():
            page.evaluate("document.querySelector('.toast')?.remove()")
            answers(road, mood, page)
            page.locator(".payments > li").first.get_by_role("button").click()
            expect(page.locator("#messages")).to_contain_text("We can't tell whether this was")
            says_so(page)
            expect(page.locator("[aria-busy]")).to_have_count(0)
            assert (page.url, money.inner_text()) == (address, before)
        check_page(page)
        shot(page, f"portal-{where}")
        assert not Posting.objects.exists()
        road.all_is_well()
        page.locator(".payments > li").first.get_by_role("button").click()
        expect(
            page.get_by_text("is noted as paid").or_(page.get_by_text("Nobody owes")).first
        ).to_be_visible()
        expect(page.locator("[data-line]")).to_have_count(0)
        assert Posting.objects.count() == 1
        assert not open_debts.of_night(event)
