"""A table is a surface: from the deal to the last card nothing moves under a finger."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

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


def boxes(page: Page) -> dict[str, Any] | None:
    """Where hand, buttons and trick are, without what is not there; None once the game is over."""
    found = page.evaluate(BOXES, PARTS)
    return found and {part: box for part, box in found.items() if box}


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize(("rules", "players"), [("mien-nam", 4), ("thirteen", 8)])
def test_hand_and_buttons_stay_through_a_whole_game(people, size, rules, players):
    """Of four people or of eight, with the window before play where the rules have one."""
    if players == 8 and size != SCREENS[0]:
        pytest.skip("Eight are the most that a phone has to hold.")
    width, height = size
    table = live.open_table(rules, players, people=1)
    live.deal(table)
    page = people.page(table, 0, {"width": width, "height": height})
    expect(page.locator("#own .own-hand")).to_be_visible()
    seen: dict[str, Any] = {}
    for number in range(600):
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
        if not take_turn(page):
            page.wait_for_timeout(40)
    expect(page.locator(".result-winner")).to_be_visible()
    assert {".own-hand", "button[data-pass]", "[value=play]"} <= set(seen)
    shot(page, f"surface-over-{rules}-{players}-{width}")
    check_page(page)
