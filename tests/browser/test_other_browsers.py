"""WebKit and Firefox by touch: a whole game at a table with bots, and a game of a night."""

from collections.abc import Iterator

import pytest
from django.urls import reverse

from league.models import Result
from tables.base.fifo_cache import forget_all
from tests.browser import other_browsers
from tests.browser.live_site import clock, site
from tests.browser.people import secret
from tests.factories import make_night, make_table, secret_of
from tests.tables import live

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

OVER = "document.querySelector('.result-places')"
MINE = "document.querySelector('#own:not([aria-busy]) [value=play]:not(:disabled)')"
TOLD = "document.querySelector('#own [data-say]').textContent.includes('beat')"
ANY = "document.querySelectorAll('#own input:checked').length"
VERSION = "document.querySelector('#board-public').dataset.version"
HAND = "return [...document.querySelectorAll('#own input')].map((box) => box.value)"
CHOSEN = "return [...document.querySelectorAll('#own input:checked')].map((box) => box.value)"
SELECTED = "return getSelection().toString()"
TILE = "[data-tap]:not([aria-pressed=true])"
TAPPED = "document.querySelectorAll('[data-tap][aria-pressed=true]').length"
LINES = "document.querySelectorAll('[data-played] tbody tr').length"
WIDTH = "return [document.documentElement.scrollWidth, innerWidth]"
LARGE = "document.documentElement.style.fontSize = '200%'"
DARK = """
const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
return matchMedia("(prefers-color-scheme: dark)").matches && r + g + b < 200;
"""


@pytest.fixture(params=["webkit", "firefox"])
def driver(request, tmp_path, settings) -> Iterator[other_browsers.Driver]:
    """The browser, in front of the product with its streams, its clock and quick bots."""
    if not other_browsers.is_here(request.param):
        pytest.skip(f"{request.param} is not on this machine")
    settings.TABLES_BOT_SECONDS = (0.05, 0.1)
    forget_all()
    opened = {"webkit": other_browsers.webkit, "firefox": other_browsers.firefox}[request.param]
    with site() as address, clock(), opened(tmp_path) as driver:
        driver.home = address
        yield driver
        looked_at(driver)
        assert driver.console() == []


def looked_at(driver: other_browsers.Driver) -> None:
    """Nothing went wrong on this page, the menu is shut, it is dark, and no wider than a phone."""
    assert driver.js("return window.faults") == []
    assert driver.js(DARK), driver.name
    wide, window = driver.js(WIDTH)
    assert wide <= window <= 450, driver.js(other_browsers.WHERE)


def card(value: str) -> str:
    return f"#own .hand-pick li:has([value='{value}'])"


def cards_are_drawn_over_and_carried(driver: other_browsers.Driver) -> None:
    """A finger picks a row of cards and takes one elsewhere, and no text is marked by it."""
    hand = driver.js(HAND)
    driver.touch(*map(card, hand[:3]))
    assert driver.js(CHOSEN) == hand[:3]
    assert driver.js(SELECTED) == ""
    driver.touch(card(hand[0]), card(hand[2]), hold=500)
    assert driver.js(HAND)[:3] == [hand[1], hand[2], hand[0]]
    assert driver.js(SELECTED) == ""
    for value in hand[:3]:
        driver.touch(card(value))
    assert driver.js(CHOSEN) == []


def takes_a_turn(driver: other_browsers.Driver) -> None:
    version = driver.js(f"return {VERSION}")
    if not driver.js(f"return {ANY}"):
        driver.touch("#own [data-hint]")
    driver.wait(f"{ANY} || {TOLD}")
    chosen = driver.js(CHOSEN)
    driver.touch("#own [value=play]" if chosen else "#own [data-pass]")
    driver.wait(f"{VERSION} !== '{version}'")


def test_a_whole_game_by_touch(driver):
    """Dealt, drawn over, carried, played to its end; then with letters of twice the size."""
    table = live.open_table("tien-len", people=1)
    live.deal(table)
    driver.go(f"{driver.home}/tables/{table.key}/chair/{secret(table, 0)}/")
    driver.wait("document.querySelector('#own .own-hand')")
    looked_at(driver)
    cards_are_drawn_over_and_carried(driver)
    driver.shot("table")
    while driver.wait(f"({OVER} && 'over') || ({MINE} && 'mine')", 60) != "over":
        takes_a_turn(driver)
    driver.shot("result")
    assert table.games.get(no=1).over_at
    driver.js(LARGE)
    looked_at(driver)


def test_a_game_of_a_night_by_touch(driver):
    """The link of a table's card, three names and Save."""
    sitting = make_table(make_night(rules="mien-nam", stake=1, counting="average"))
    driver.go(driver.home + reverse("league:link_table", args=[secret_of(sitting)]))
    looked_at(driver)
    for number in (1, 2, 3):
        driver.touch(TILE)
        driver.wait(f"{TAPPED} >= {number}")
    driver.shot("entry")
    driver.touch("[data-save]")
    driver.wait(f"{LINES} === 1")
    assert Result.objects.get().current
    driver.shot("entered")
    driver.js(LARGE)
    looked_at(driver)
