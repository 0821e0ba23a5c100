"""A real Chromium on a phone, in front of the product."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from accounts.models import User

if TYPE_CHECKING:
    from tests.browser.people import People

# Playwright keeps an event loop in this thread, which Django otherwise refuses to share.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# What the console says of refused requests, and of connections that a test cuts.
EXPECTED = (
    "the server responded with a status of 4",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_FAILED",
    "htmx:sendError",
    "htmx:afterRequest",  # That is how htmx names one without an answer.
    "when fetching the script",  # The browser looks for a newer service worker.
)
PHONE: ViewportSize = {"width": 360, "height": 740}

_checked: WeakKeyDictionary[Page, int] = WeakKeyDictionary()
_contrast_every = 4


@pytest.fixture(autouse=True, scope="session")
def _look_at_every_contrast(pytestconfig: pytest.Config) -> None:
    global _contrast_every
    if pytestconfig.getoption("--long"):
        _contrast_every = 1


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    expect.set_options(timeout=30_000)  # A busy machine is slow, and no test is about that.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, live_server) -> Iterator[Page]:
    """A phone's page whose script errors and refused contents fail the test."""
    with open_page(browser, live_server.url) as page:
        yield page


@pytest.fixture
def people(browser: Browser, settings) -> Iterator[People]:
    """Several people in front of the product with its streams and its clock, and quick bots."""
    from tests.browser.people import in_front_of_one_product

    settings.TABLES_BOT_SECONDS = (0.05, 0.1)
    settings.TABLES_WINDOW_SECONDS = 1.0
    with in_front_of_one_product(browser) as found:
        yield found


@contextmanager
def open_page(
    browser: Browser, address: str, *, size: ViewportSize = PHONE, language: str = "en-GB"
) -> Iterator[Page]:
    """A page of a new visitor whose script errors and refused contents fail the test."""
    context = browser.new_context(
        viewport=size, base_url=address, locale=language, reduced_motion="reduce"
    )
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    try:
        yield page
    finally:
        context.close()  # Else its questions go on while the next test runs.
    assert [p for p in problems if not any(expected in p for expected in EXPECTED)] == []


def sign_in(page: Page, address: str, user: User) -> None:
    """Signs in without the form, by the cookie that it would give."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": address}])


def check_page(page: Page) -> None:
    """No accessibility fault that axe finds, and nothing wider than the phone.

    Contrast takes two thirds of axe's time, and all pages share their colours: the short form looks
    at it where a browser's page is checked first, and then now and then.
    """
    before = _checked.get(page, 0)
    _checked[page] = before + 1
    contrast = {"color-contrast": {"enabled": before % _contrast_every == 0}}
    found = Axe().run(page, options={"resultTypes": ["violations"], "rules": contrast})
    faults = [(v["id"], [n["html"] for n in v["nodes"]]) for v in found.response["violations"]]
    assert (page.url, faults) == (page.url, [])
    width = page.evaluate("document.documentElement.scrollWidth")
    assert (page.url, width) == (page.url, page.viewport_size["width"])


def shot(page: Page, name: str, *, whole: bool = True) -> None:
    """Keeps a picture of the `whole` page, or of what is in sight, where SHOTS names a folder."""
    if folder := os.environ.get("SHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png", full_page=whole)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Keeps a picture of the page where a browser test failed, in the folder that SHOTS names."""
    report = yield
    if report.when == "call" and report.failed and "page" in item.funcargs:
        shot(item.funcargs["page"], f"failed-{item.name}")
    return report
