"""A table is a surface: from the deal to the last card nothing moves under a finger."""

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.rules import game as engine_game
from engine.rules.cards import format_cards
from tables.play.acts import trades
from tables.play.facts import positions
from tests.browser.conftest import check_page, shot
from tests.browser.people import take_turn
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCREENS = [(360, 640), (740, 360), (1024, 700)]
PARTS = [".own-hand", "button[data-pass]", "[data-sort]", "[data-hint]", "[value=play]", ".middle"]
BOXES = """(parts) => document.querySelector("#board-public").dataset.status === "playing"
    && Object.fromEntries(parts.map((part) => {
        const element = document.querySelector(`#the-table ${part}`);
        const box = element?.getBoundingClientRect();
        return [part, box && [box.x, box.y + scrollY, box.width, box.height].map(Math.round)];
    }))"""

KEEP = "() => { window.kept = document.querySelector('#own').cloneNode(true); }"
SWAP = """() => {
    const own = document.querySelector("#own");
    own.replaceWith(window.kept);
    window.kept = own;
}"""
ENDS = "#the-table :is(.result-places > li, .result-links, .acts .act)"
SHOWN = """(ends) => Object.fromEntries([...document.querySelectorAll(ends)]
    .filter((element) => element.offsetParent).map((element, i) => {
        const box = element.getBoundingClientRect();
        const name = `${i} ${element.textContent.trim().slice(0, 20)}`;
        return [name, [box.x, box.y + scrollY, box.width, box.height].map(Math.round)];
    }))"""


def boxes(page: Page) -> dict[str, Any] | None:
    """Where hand, buttons and trick are, without what is not there; None once the game is over."""
    found = page.evaluate(BOXES, PARTS)
    return found and {part: box for part, box in found.items() if box}


def usual_hands(players: int) -> list[str]:
    """Thirteen cards for each, always the same and nothing special."""
    cards = list(range(52)) * (2 if players > 4 else 1)
    random.Random(1).shuffle(cards)
    return [format_cards(sorted(cards[no :: 8 if players > 4 else 4])) for no in range(players)]


@pytest.mark.parametrize(
    ("rules", "players", "size"),
    [
        ("mien-nam", 4, SCREENS[0]),
        pytest.param("mien-nam", 4, SCREENS[1], marks=pytest.mark.long),
        pytest.param("mien-nam", 4, SCREENS[2], marks=pytest.mark.long),
        # Eight are the most that a phone has to hold.
        pytest.param("thirteen", 8, SCREENS[0], marks=pytest.mark.long),
    ],
)
def test_hand_and_buttons_stay_through_a_whole_game(people, rules, players, size):
    """Of four people or of eight, with the window before play where the rules have one."""
    width, height = size
    table = live.open_table(rules, players, people=1)
    live.set_hands(table, usual_hands(players))  # No instant win: that ends the game at once.
    page = people.page(table, 0, {"width": width, "height": height})
    expect(page.locator("#own .own-hand")).to_be_visible()
    seen: dict[str, Any] = {}
    for number in range(3000):
        found = boxes(page)
        if not found:
            break
        for part, box in found.items():
            assert seen.setdefault(part, box) == box, (part, seen[part], box)
            x, y, wide, high = box
            assert 0 <= x <= width - wide, (part, box)
            assert 0 <= y <= height - high, (part, box)
        if number % 40 == 8:
            shot(page, f"surface-{rules}-{players}-{width}-{number}")
        page.evaluate(KEEP)
        if not take_turn(page):
            page.wait_for_timeout(40)
    expect(page.locator(".result-places")).to_be_visible()
    expect(page.locator("#own .own-hand")).to_have_count(0)  # The own part comes a moment later.
    places = page.locator(".result-places").bounding_box()
    page.evaluate(SWAP)
    assert page.locator(".result-places").bounding_box() == places  # The hand goes a moment later.
    page.evaluate(SWAP)
    for part, (x, y, wide, high) in page.evaluate(SHOWN, ENDS).items():
        assert 0 <= x <= width - wide, (part, x, wide)
        assert 0 <= y <= height - high, (part, y, high)
    assert {".own-hand", "button[data-pass]", "[value=play]"} <= set(seen)
    shot(page, f"surface-over-{rules}-{players}-{width}")
    check_page(page)


def test_a_trade_leaves_hand_and_buttons_where_they_are_played(people):
    """Two people may trade before play; what is offered lies on the felt."""
    width, height = SCREENS[0]
    table = live.dealt("tien-len", people=2, exchange=["negotiated"])
    page = people.page(table, 0, {"width": width, "height": height})
    hand = page.locator("#own .own-hand")
    expect(page.locator("[value=ready]")).to_be_visible()
    before = hand.bounding_box()
    state = positions.replay_of(live.current(table)).state
    card = engine_game.observe(state, 1).hand[0]
    trades.offer(table_id=table.pk, seat_id=live.chair(table, 1).pk, to=0, cards=(card,), want=1)
    expect(page.locator(".offer")).to_be_visible()
    shot(page, "surface-trade")
    for part in ("[value=ready]", "[value=offer]", ".offer", "[name=to]", ".offer .btn-gold"):
        box = page.locator(f"#own {part}").first.bounding_box()
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= width, part
        assert box["y"] + box["height"] <= height, part
    live.hurry(table)
    expect(page.locator("[value=play]")).to_be_visible()
    assert hand.bounding_box() == before


def test_what_must_be_played_can_be_read(people):
    """The card was cut off by the edge of a narrow phone."""
    table = live.dealt("mien-nam", 2, people=2)
    pages = [people.page(table, no, {"width": 360, "height": 640}) for no in range(2)]
    (first,) = [page for page in pages if "must include" in page.inner_text("[data-say]")]
    assert first.evaluate(
        "(say => say.scrollWidth <= say.clientWidth)(document.querySelector('[data-say]'))"
    )
