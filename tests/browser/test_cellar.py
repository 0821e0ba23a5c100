"""A phone in a cellar: the night opens without a network, and what was entered arrives once."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.base.acts import links
from league.models import Result, Sitting
from tests.browser.conftest import (
    EXPECTED,
    check_page,
    comes_to,
    open_page,
    says_who,
    shot,
    sign_in,
)
from tests.browser.entering import link_of, played, tap
from tests.browser.live_site import site
from tests.browser.proxy import Foreign, Road, road_to
from tests.factories import make_night, make_table, make_user, names_at, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CUT = (
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_REFUSED",
    "ERR_CONTENT_LENGTH_MISMATCH",
)
LANGUAGES = {"en-GB": "No network", "vi-VN": "Không có mạng"}


@pytest.fixture
def sitting() -> Sitting:
    return make_table(make_night(rules="mien-nam", games_per_round=8))


@pytest.fixture
def road() -> Iterator[Road]:
    """What is between the phone and the product: a cellar cuts it."""
    with site() as address, road_to(address) as found:
        yield found


@pytest.fixture
def phone(browser, road, request, monkeypatch) -> Iterator[Page]:
    monkeypatch.setattr("tests.browser.conftest.EXPECTED", (*EXPECTED, *CUT))
    chosen = {"language": getattr(request, "param", "en-GB"), "service_workers": "allow"}
    with open_page(browser, road.address, **chosen) as page:
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()  # From here on the worker sees what the page opens.
        yield page


def keeps(page: Page, path: str) -> None:
    """The worker keeps a page beside showing it."""
    asked = "(path) => caches.match(path).then(Boolean)"
    comes_to(page, lambda: page.evaluate(asked, path), True)


def kept(page: Page) -> list[str]:
    asked = "caches.open('night').then((cache) => cache.keys())"
    urls = page.evaluate(f"{asked}.then((keys) => keys.map(({{ url }}) => new URL(url).pathname))")
    return [url for url in urls if "/~" in url]


def enter(page: Page, sitting: Sitting, number: int) -> None:
    names = names_at(sitting)
    turn = number % len(names)
    expect(page.locator("[data-now] h2")).to_contain_text(re.compile(rf"(Game|Ván) {number}\b"))
    tap(page, *(names[turn:] + names[:turn])[:3])
    page.locator(".save-dock [data-save]").click()


def results() -> list[int]:
    found = Result.objects.filter(current=True, void=False).order_by("game_no")
    return list(found.values_list("game_no", flat=True))


@pytest.mark.parametrize("phone", ["vi-VN", "en-GB"], indirect=True)
def test_an_evening_of_eight_games_with_the_page_closed_in_a_cellar(
    phone: Page, road: Road, sitting
):
    context, path = phone.context, link_of(sitting)
    phone.goto(path)
    keeps(phone, phone.evaluate("location.pathname"))
    lose_network(road)
    enter(phone, sitting, 1)
    phone.close()
    # A new page of the same phone, still without a network: as it was, with its time.
    page = context.new_page()
    page.goto(path)
    said = next(text for language, text in LANGUAGES.items() if language == locale_of(page))
    expect(page.locator("[data-line=seen]")).to_contain_text(said)
    check_page(page)
    shot(page, f"cellar-{locale_of(page)}")
    enter(page, sitting, 2)
    enter(page, sitting, 3)
    expect(page.locator("[data-now] h2")).to_contain_text("4")
    assert results() == []
    find_network(road, page)
    played(page, 3)
    expect(page.locator("[data-line=seen]")).to_have_count(0)
    assert results() == [1, 2, 3]
    # Again without one: the phone keeps what it has sent since, too.
    expect_kept(page, "Game 4", "Ván 4")
    lose_network(road)
    page.close()
    page = context.new_page()
    page.goto(path)
    for number in (4, 5):
        enter(page, sitting, number)
    find_network(road, page)
    played(page, 5)
    for number in (6, 7, 8):
        enter(page, sitting, number)
        played(page, number)
    assert results() == [*range(1, 9)]
    assert Result.objects.count() == 8


def lose_network(road: Road) -> None:
    road.says = lambda method, path: Foreign(reset=True)


def find_network(road: Road, page: Page) -> None:
    road.all_is_well()
    page.evaluate("dispatchEvent(new Event('online'))")


def expect_kept(page: Page, *headings: str) -> None:
    asked = "caches.match(location.pathname).then((found) => found ? found.text() : '')"
    comes_to(page, lambda: any(each in page.evaluate(asked) for each in headings), True)


def locale_of(page: Page) -> str:
    return {"vi": "vi-VN", "en": "en-GB"}[page.evaluate("document.documentElement.lang")]


def test_the_icon_opens_the_night_without_a_network(phone: Page, road: Road, sitting):
    night = reverse(
        "league:link_night", args=[links.keep_for_night(event=sitting.round.event).secret]
    )
    phone.goto(night)
    name = names_at(sitting)[0]
    says_who(phone, name)
    expect(phone.locator("h1")).to_contain_text(name)
    phone.goto(night)
    keeps(phone, night)
    lose_network(road)
    phone.goto("/")
    expect(phone.locator("[data-line=seen]")).to_be_visible()
    expect(phone.locator("h1")).to_contain_text(name)
    phone.goto("/learn/")
    expect(phone.locator("[data-line=seen]")).to_have_count(0)


@pytest.mark.parametrize("meets", ["nothing else", "a sign-in", "a new link"])
def test_who_arrives_without_a_network_is_here_once_it_is_back(phone: Page, road: Road, meets):
    event = make_night()
    night = reverse("league:link_night", args=[links.keep_for_night(event=event).secret])
    player = event.season.club.players.order_by("pk")[0]
    phone.goto(night)
    says_who(phone, player.name)
    expect(phone.locator("main")).to_contain_text("You are checked in")
    event.entrants.update(presence="expected")
    phone.goto(night)
    keeps(phone, night)
    lose_network(road)
    phone.close()
    page = phone.context.new_page()
    page.goto(night)
    page.get_by_role("button", name="I'm here").click()
    expect(page.locator("[data-line=later]")).to_contain_text("I'm here")
    assert not event.entrants.filter(player=player, presence="here").exists()
    page.goto("/learn/")  # Kept nowhere: a page of our own says so.
    road.all_is_well()
    if meets == "a sign-in":
        road.posts(Foreign(302, location=reverse("account_login")))
    if meets == "a new link":
        links.renew_for_night(event=event, by=owner_of(event.season.club))
    page.goto("/learn/")
    comes_to(page, lambda: page.evaluate("localStorage.getItem('acts-to-send')"), "[]")
    expect(page.locator("[data-line=later]")).to_have_count(0)
    assert event.entrants.filter(player=player, presence="here").exists()


def test_what_is_said_while_something_else_is_sent_is_sent_after_it(phone: Page, road: Road):
    event = make_night()
    night = reverse("league:link_night", args=[links.keep_for_night(event=event).secret])
    player = event.season.club.players.order_by("pk")[0]
    phone.goto(night)
    says_who(phone, player.name)
    expect(phone.locator("main")).to_contain_text("You are checked in")
    act = {"url": phone.url, "says": "x"}
    acts = [{**act, "fields": {"presence": presence}} for presence in ("left", "here")]
    phone.goto("/learn/")
    road.posts(Foreign(after=True, seconds=3))
    put = "(acts) => localStorage.setItem('acts-to-send', JSON.stringify(acts))"
    phone.evaluate(put, acts[:1])
    phone.reload()
    road.waits_for("POST ", times=1)
    phone.evaluate(put, acts)
    comes_to(phone, lambda: phone.evaluate("localStorage.getItem('acts-to-send')"), "[]")
    assert event.entrants.get(player=player).presence == "here"


def test_nobody_after_me_sees_what_my_phone_kept(phone: Page, road: Road, sitting):
    sign_in(phone, make_user())
    path = link_of(sitting)
    phone.goto(path)
    here = phone.evaluate("location.pathname")
    keeps(phone, here)
    # Another account, or nobody, on the same phone.
    phone.context.clear_cookies()
    phone.goto("/learn/")
    comes_to(phone, lambda: kept(phone), [])
    lose_network(road)
    phone.goto(path)
    expect(phone.locator("[data-table]")).to_have_count(0)


def test_a_newer_release_keeps_its_own_pages(phone: Page, sitting, settings):
    path = link_of(sitting)
    phone.goto(path)
    here = phone.evaluate("location.pathname")
    keeps(phone, here)
    settings.COMMON_HEADERS = settings.COMMON_HEADERS | {"Tien-Len-Release": "newer"}
    phone.goto("/learn/")
    comes_to(phone, lambda: kept(phone), [])
    phone.goto(path)
    keeps(phone, here)


def test_a_link_that_ended_is_kept_no_longer(phone: Page, road: Road, sitting):
    phone.goto(link_of(sitting))
    keeps(phone, phone.evaluate("location.pathname"))
    links.renew_for_table(sitting=sitting, by=owner_of(sitting.round.event.season.club))
    phone.reload()
    comes_to(phone, lambda: kept(phone), [])


def test_a_page_that_comes_by_half_leaves_the_one_that_was_kept(phone: Page, road: Road, sitting):
    phone.goto(link_of(sitting))
    here = phone.evaluate("location.pathname")
    keeps(phone, here)
    road.says = lambda method, path: Foreign(after=True, cut=True) if path == here else None
    with phone.expect_event("requestfailed"):
        phone.reload(wait_until="commit")
    lose_network(road)
    phone.goto(here)
    expect(phone.locator("[data-line=seen]")).to_be_visible()
    expect(phone.locator("[data-table]")).to_be_visible()


def test_no_page_but_the_nights_is_kept(phone: Page, road: Road, sitting):
    club = sitting.round.event.season.club
    for path in ("/", "/learn/", reverse("league:club", args=[club.slug])):
        phone.goto(path)
    phone.goto(link_of(sitting))
    here = phone.evaluate("location.pathname")
    keeps(phone, here)
    assert kept(phone) == [here]
