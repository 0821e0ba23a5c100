"""Learning the game in a browser: by finger, by keyboard, without JavaScript; keys and the app."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, check_page, open_page, seen, shot
from tests.browser.live_site import site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = """async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const lists = await Promise.all(caches_.map((cache) => cache.keys()));
    return lists.flat().map((request) => new URL(request.url).pathname).sort();
}"""


CUT = """() => [...document.querySelectorAll('.pic')].flatMap((pic) => {
    const all = pic.getBoundingClientRect();
    const parts = [...pic.querySelectorAll('.card, .ava, .pic-label, .pic-icon')];
    const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width);
    const cut = boxes.some((box) => box.left < all.left || box.right > all.right + 0.5);
    return cut ? [pic.textContent.trim().replace(/\\s+/g, ' ') || pic.innerHTML.slice(0, 80)] : [];
})"""
"""The pictures whose cards, faces or labels reach over an edge."""


def pick(page: Page, cards: str) -> None:
    for card in cards.split():
        page.locator(f"#exercise label:has([value='{card}'])").click()


def play(page: Page, cards: str) -> None:
    pick(page, cards)
    page.get_by_role("button", name="Play", exact=True).click()


def test_a_stranger_learns_from_the_home_page_to_the_second_lesson(page: Page):
    page.goto("/")
    check_page(page)
    page.locator("main a[href='/learn/']").click()
    page.wait_for_url("**/learn/")
    check_page(page)
    page.get_by_role("link", name="Begin").click()
    page.wait_for_url("**/cards/")
    check_page(page)
    play(page, "9C")
    expect(page.locator(".learn-no")).to_contain_text("3♠")
    expect(page.locator("#live")).to_contain_text("3♠")
    pick(page, "9C")
    play(page, "3S")
    expect(page.locator(".learn-good")).to_contain_text("with the lowest card")
    following = page.get_by_role("link", name="Next exercise")
    expect(following).to_be_focused()
    seen(page, "learn-right-360")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mai played 9♦.")).to_be_visible()
    play(page, "9H")
    page.get_by_role("link", name="Next: Singles, pairs, triples").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Singles, pairs, triples")


def test_an_exercise_is_done_by_keyboard_alone(page: Page):
    page.goto("/learn/mien-nam/groups/")
    first = page.locator("#exercise [name=cards]").first
    first.focus()
    for key in ("Tab", "Space", "Tab", "Space"):
        page.keyboard.press(key)
    chosen = page.locator("#exercise [name=cards]:checked")
    expect(chosen).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.locator(".learn-good, .learn-no")).to_be_visible()
    page.goto("/learn/mien-nam/passing/")
    page.get_by_role("button", name="Pass").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Next exercise")).to_be_focused()


def test_a_whole_game_is_played_move_by_move(page: Page):
    page.goto("/learn/mien-nam/game/")
    play(page, "3S 4D 5C 6H 7S")
    for _ in range(40):
        if page.locator(".finish").count():
            break
        moves = page.locator("[name=moves]").input_value()
        if page.locator(".learn-play").count():
            page.get_by_role("button", name="Pass").click()
        else:
            page.locator("#exercise label").first.click()
            page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator(f"[name=moves][value='{moves}']")).to_have_count(0)
    expect(page.locator(".finish li")).to_have_count(4)
    seen(page, "learn-over-360")


def test_an_exercise_is_done_without_javascript(browser, live_server):
    context = browser.new_context(
        viewport=PHONE, java_script_enabled=False, base_url=live_server.url, locale="en-GB"
    )
    page = context.new_page()
    page.goto("/learn/tien-len/chopping/")
    play(page, "5S 5D 6C 6H 7S 7D")
    expect(page.locator(".learn-good")).to_contain_text("Chopped!")
    page.get_by_role("link", name="Next exercise").click()
    play(page, "8S 8D 9C 9H TS TD")
    expect(page.locator(".learn-good")).to_contain_text("Your three pairs are higher.")
    context.close()


@pytest.mark.parametrize("width", [360, 1440])
def test_no_picture_of_help_is_cut(page: Page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for topic in ("", "tonight", "club", "money", "play", "bots", "all"):
        page.goto(f"/help/?topic={topic}")
        assert page.evaluate(CUT) == [], topic


def test_keys_help_and_never_get_in_the_way_of_typing(page: Page):
    page.goto("/")
    page.keyboard.press("?")
    box = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(box).to_be_visible()
    seen(page, "keys-360")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/learn/")
    page.keyboard.press("/")
    page.wait_for_url("**/search/")
    field = page.locator("#search-words")
    expect(field).to_be_focused()
    page.keyboard.type("?/gh")
    expect(field).to_have_value("?/gh")
    expect(box).to_be_hidden()
    page.locator("h1").click()
    page.keyboard.press("?")
    box.get_by_text("Use keyboard shortcuts on this device").click()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.keyboard.press("?")
    expect(box).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/search/\?q=%3F%2Fgh$"))


def test_the_second_key_of_going_somewhere_is_not_a_move_at_the_table(page: Page):
    page.goto("/tables/")
    page.locator("summary").get_by_text("Open a table").click()
    page.get_by_label("Rules").select_option("penguin")
    page.locator("#id_bots").select_option("greedy")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#own [name=cards]")).to_have_count(13)
    page.evaluate("""() => {
        window.heard = [];
        document.addEventListener("keydown", (event) => window.heard.push(event.key));
    }""")
    page.keyboard.press("s")
    page.keyboard.press("g")
    page.keyboard.press("x")
    page.keyboard.press("s")
    assert page.evaluate("window.heard") == ["s", "s"]


@pytest.fixture
def page_with_worker(browser: Browser) -> Iterator[Page]:
    with site() as address, open_page(browser, address, service_workers="allow") as page:
        yield page


def test_without_a_connection_a_page_of_our_own_says_so(page_with_worker: Page):
    page = page_with_worker
    page.goto("/learn/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    kept = page.evaluate(KEPT)
    assert "/offline/" in kept
    assert [path for path in kept if not path.startswith(("/static/", "/offline/"))] == []
    page.context.set_offline(True)
    page.goto("/clubs/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert background == "rgb(249, 244, 234)"
    shot(page, "offline-360")
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Clubs", exact=True)).to_be_visible()
    assert page.evaluate(KEPT) == kept
