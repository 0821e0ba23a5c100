"""What makes it an app: a screen that stays on, and how the phone keeps it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.base.acts import links
from league.nights.acts import ceremony, closing
from league.turnout.acts import sign_ups
from tests.browser.conftest import PHONE, comes_to, open_page, seen, sign_in
from tests.browser.entering import link_of
from tests.browser.people import secret
from tests.factories import make_night, make_table, names_at, owner_of, path_of, play
from tests.tables import live
from tests.tables.live import HANDS
from tests.tables.test_live_trades import dealt

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# A browser without a screen holds none: what is asked of it is counted, and may be refused.
COUNTED = """(() => {
  window.held = 0;
  window.asked = 0;
  class Lock extends EventTarget {
    async release() { window.held -= 1; this.dispatchEvent(new Event("release")); }
  }
  const wakeLock = { request: async () => {
    window.asked += 1;
    if (window.refuses) throw new DOMException("no", "NotAllowedError");
    window.held += 1;
    window.lock = new Lock();
    return window.lock;
  } };
  Object.defineProperty(navigator, "wakeLock", { value: wakeLock });
})()"""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def stays_on(page: Page, is_on: bool = True) -> None:
    comes_to(page, lambda: page.evaluate("window.held"), int(is_on))


def test_the_big_screen_the_entry_and_a_ceremony_stay_on(browser, live_server):
    sitting = make_table(make_night(format={"ceremony": 1}))
    play(sitting, names_at(sitting))
    event = sitting.round.event
    club = event.season.club
    with open_page(browser, live_server.url) as page:
        page.add_init_script(COUNTED)
        page.goto(link_of(sitting))
        stays_on(page)
        page.evaluate(HIDE, True)
        stays_on(page, False)
        page.evaluate(HIDE, False)
        stays_on(page)
        sign_in(page, owner_of(club))
        page.goto(reverse("league:wall", args=[club.slug, event.pk]))
        stays_on(page)
        page.goto(reverse("league:table", args=[club.slug, event.pk, 1, 1]))
        stays_on(page)
        page.goto(reverse("league:ceremony", args=[club.slug, event.pk]))
        stays_on(page)
        ceremony.reveal_all(event=event, by=owner_of(club))
        page.reload()
        expect(page.locator("main")).to_be_visible()
        assert page.evaluate("window.asked") == 0
        page.goto(reverse("league:event", args=[club.slug, event.pk]))
        assert page.evaluate("window.asked") == 0


def test_a_refusal_breaks_nothing_and_is_asked_again_when_the_page_is_seen(browser, live_server):
    sitting = make_table(make_night())
    with open_page(browser, live_server.url) as page:
        page.add_init_script(COUNTED + "; window.refuses = true;")
        page.goto(link_of(sitting))
        page.locator("[data-tap]").first.click()
        assert page.evaluate("[window.asked, window.held]") == [1, 0]
        page.evaluate("window.refuses = false")
        page.evaluate(HIDE, False)
        stays_on(page)


def test_a_seat_stays_on_while_its_game_runs(people):
    table = live.open_table("penguin", people=4, cards_each={"4": 3})
    live.set_hands(table, [" ".join(hand.split()[:3]) for hand in HANDS])
    page, watcher = people.page(), people.page()
    for one in (page, watcher):
        one.add_init_script(COUNTED)
    page.goto(f"/tables/{table.key}/chair/{secret(table, 0)}/")
    watcher.goto(f"/tables/{table.key}/")
    stays_on(page)
    assert watcher.evaluate("window.asked") == 0
    page.locator("button[value=plain]").evaluate("(button) => button.click()")
    expect(page.locator("#plain")).to_be_visible()
    stays_on(page)
    live.play_quickly(table)
    stays_on(page, False)


def test_a_seat_stays_on_before_its_first_turn_too(people):
    """While people trade cards."""
    table = dealt()
    page = people.page()
    page.add_init_script(COUNTED)
    page.goto(f"/tables/{table.key}/chair/{secret(table, 0)}/")
    expect(page.locator(".own-hand")).to_be_visible()
    expect(page.locator("form[data-act]")).to_have_count(0)
    stays_on(page)


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"
ASKS = """() => {
  const event = new Event("beforeinstallprompt");
  event.prompt = async () => { window.asked = true; };
  dispatchEvent(event);
}"""


@pytest.mark.parametrize("shares", [True, False])
def test_a_message_for_the_group_goes_to_an_app_of_the_phone_where_one_takes_it(
    browser, live_server, shares
):
    event = make_night(4)
    sign_ups.open_list(event=event, by=owner_of(event))
    with open_page(browser, live_server.url) as page:
        value = "async ({ text }) => { window.shared = text; }" if shares else "undefined"
        page.add_init_script(f"Object.defineProperty(navigator, 'share', {{ value: {value} }});")
        sign_in(page, owner_of(event))
        page.goto(path_of(event, "sign_up"))
        filled = page.locator("#post ~ .row .btn-primary")
        expect(filled).to_have_text("Share" if shares else "Copy for the group")
        if shares:
            filled.click()
            comes_to(page, lambda: event.name in page.evaluate("window.shared"), True)


@pytest.mark.parametrize("language", ["en-GB", "vi-VN"])
def test_after_a_night_a_phone_is_told_once_how_to_keep_the_app(browser, live_server, language):
    sitting = make_table(make_night())
    play(sitting, names_at(sitting))
    event = sitting.round.event
    night = reverse("league:link_night", args=[links.keep_for_night(event=event).secret])
    card = "[data-install-card]"
    for agent in (IPHONE, None):
        context = browser.new_context(
            viewport=PHONE, base_url=live_server.url, locale=language, user_agent=agent
        )
        page = context.new_page()
        page.goto(night)
        expect(page.locator(card)).to_have_count(0)
        closing.close_event(event=event, by=owner_of(event.season.club), despite_unfinished=True)
        page.goto(night)
        if agent is None:
            expect(page.locator(card)).to_be_hidden()  # Nothing to offer yet.
            page.evaluate(ASKS)
            expect(page.locator(f"{card} ol")).to_be_hidden()
            page.locator(f"{card} [data-install]").click()
            assert page.evaluate("window.asked")
        else:
            expect(page.locator(f"{card} li")).to_have_count(3)
            expect(page.locator(f"{card} [data-install]")).to_be_hidden()
            seen(page, f"install-{language}")
            page.locator("[data-install-later]").click()
        expect(page.locator(card)).to_be_hidden()
        page.goto("/")
        page.goto(night)
        page.evaluate(ASKS)
        expect(page.locator(card)).to_be_hidden()
        context.close()
        closing.reopen_event(event=event, by=owner_of(event.season.club))
