"""Browsers of several people in front of one product, and what they do at a table there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.db.models import F
from playwright.sync_api import Browser, Page, expect

from tables.base import tokens
from tables.base.fifo_cache import forget_all
from tables.models import Table
from tests.browser.conftest import EXPECTED, PHONE
from tests.browser.live_site import clock, site
from tests.tables import live

LAPTOP = {"width": 1440, "height": 900}
OWN = "#own.own-turn:not([aria-busy])"
"""On one's turn, and not while a move is on its way: the stream may bring the next turn first."""
PLAY = f"{OWN} [value=play]:not(:disabled)"
PASS = f"{OWN} [data-pass]:not(:disabled)"
LOOK = 200
"""Milliseconds between two looks whose turn it is: each look costs the browser some."""


@contextmanager
def in_front_of_one_product(browser: Browser) -> Iterator[People]:
    """Browsers that are opened on demand; what their consoles say fails the test."""
    forget_all()
    with ExitStack() as stack:
        address = stack.enter_context(site())
        stack.enter_context(clock())
        found = People(browser, address, stack)
        yield found
        assert [p for p in found.problems if not any(e in p for e in (*EXPECTED, "net::"))] == []


class People:
    """Browsers in front of one product."""

    def __init__(self, browser: Browser, address: str, stack: ExitStack) -> None:
        self.browser, self.address, self.stack = browser, address, stack
        self.problems: list[str] = []

    def page(
        self,
        table: Table | None = None,
        no: int = -1,
        size: dict | None = None,
        language: str = "en-GB",
    ) -> Page:
        """A new browser; with a table, in front of it and in this chair."""
        context = self.browser.new_context(
            viewport=size or PHONE,
            base_url=self.address,
            locale=language,
            reduced_motion="reduce",
            service_workers="block",
        )
        self.stack.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(30_000)  # A busy machine is slow.
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on(
            "console",
            lambda m: self.problems.append(m.text) if m.type in ("error", "warning") else None,
        )
        if table is not None:
            page.goto(f"/tables/{table.key}/chair/{secret(table, no)}/" if no >= 0 else at(table))
        return page


def at(table: Table) -> str:
    return f"/tables/{table.key}/"


def secret(table: Table, no: int) -> str:
    """A guest's own link to his chair.

    The table's version rises: what bots' threads read a moment before is then never shown.
    """
    token = f"browser-{table.key}-{no}"
    live.chair(table, no)
    table.seats.filter(no=no, left_at=None).update(token_hash=tokens.hash_of(token))
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
    forget_all()
    return token


def open_panel(page: Page) -> None:
    """What a phone shows beside the table by one tap: score, chat, switches, the way out."""
    page.locator(".topl .menu").click()
    expect(page.locator("#side")).to_be_visible()


def open_settings(page: Page) -> None:
    """What the panel has folded: how this browser shows a table and what it says aloud."""
    open_panel(page)
    page.locator(".table-settings summary").click()


def all_take_a_turn(pages: list[Page]) -> None:
    """Plays on, once all see the cards dealt, until each of them has had a turn."""
    for page in pages:
        expect(page.locator("#board-public")).to_have_attribute("data-status", "playing")
    had: set[Page] = set()
    for _ in range(400):
        had |= {page for page in pages if take_turn(page)}
        if len(had) == len(pages):
            return
        pages[0].wait_for_timeout(LOOK)
    raise AssertionError(f"only {len(had)} of them had a turn")


def take_turn(page: Page) -> bool:
    """Plays the first hint, or passes, where it is this page's turn."""
    if not page.locator(PLAY).count():
        return False
    version = page.locator("#board-public").get_attribute("data-version")
    page.locator("#own [data-hint]").click()
    chosen = page.locator("#own input:checked")
    nothing = page.locator("#own [data-say]", has_text="You can't beat it: pass.")
    chosen.or_(nothing).first.wait_for(state="attached")
    if page.locator("#own input:checked").count():
        page.locator(PLAY).click()
    else:
        page.locator(PASS).click()
    expect(page.locator("#board-public")).not_to_have_attribute("data-version", version)
    return True
