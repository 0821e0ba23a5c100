"""A phone on a slow line: every tap counts and shows, and what did not arrive is told."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import comes_to, seen, sign_in
from tests.factories import make_night, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NETWORK = {
    "offline": False,
    "latency": 1000,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}


@pytest.fixture
def at_the_door(page: Page) -> Page:
    """An organiser's phone, with four names to tap."""
    event = make_night(4)
    event.entrants.update(presence="expected")
    sign_in(page, owner_of(event.season.club))
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/check-in/")
    return page


def test_names_that_are_tapped_while_others_are_on_their_way_are_checked_in_too(at_the_door: Page):
    page = at_the_door
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send("Network.emulateNetworkConditions", NETWORK)
    names = page.locator(".chips .btn")
    for no in range(3):
        names.nth(no).click()
    expect(page.locator(".chips .btn[aria-busy=true]")).to_have_count(3)
    expect(page.locator(".btn-here")).to_have_count(3)
    expect(page.locator(".chips .btn[aria-busy=true]")).to_have_count(0)


def test_a_page_that_nobody_looks_at_does_not_ask_what_is_new(page: Page):
    event = make_night(8)
    page.clock.install()
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, writable: true })")
    page.clock.run_for(9000)
    page.evaluate("fetch('/health/')")
    assert [url for url in asked if "/live/" in url] == []
    page.evaluate("document.hidden = false")
    with page.expect_response("**/live/**"):
        page.clock.run_for(5000)


def test_a_tap_that_got_no_answer_is_told(at_the_door: Page):
    page = at_the_door
    page.context.set_offline(True)
    page.locator(".chips .btn").first.click()
    expect(page.locator(".toast")).to_contain_text("We can't tell whether this was saved.")
    expect(page.locator(".btn[aria-busy=true]")).to_have_count(0)
    seen(page, "slow-no-answer")
    page.set_viewport_size({"width": 360, "height": 640})
    below = page.locator(".doors:visible, .dock:visible").first.bounding_box()
    toast = page.locator(".toast").bounding_box()
    assert below
    assert toast
    assert toast["y"] + toast["height"] <= below["y"], "no bar lies over it"
    page.context.set_offline(False)
    page.locator(".chips .btn").first.click()
    expect(page.locator(".btn-here")).to_have_count(1)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_tap_that_waited_for_news_is_sent_when_no_news_came(at_the_door: Page):
    page, held = at_the_door, []

    def hold(route: Route) -> None:
        is_news = route.request.headers.get("hx-trigger") == "people"
        held.append(route) if is_news and not held else route.continue_()

    page.clock.install()
    page.route("**/*", hold)
    page.reload()
    page.clock.run_for(9000)
    comes_to(page, lambda: len(held), 1)
    page.locator(".chips .btn").first.click()
    with page.expect_event("requestfailed"):
        held[0].abort()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.clock.run_for(1000)
    page.clock.run_for(3000)
    expect(page.locator(".btn-here")).to_have_count(1)
