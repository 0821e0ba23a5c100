"""A real Chromium on a phone, in front of the product."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT as AXE
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from accounts.models import User
from tests.plugins.embedded import looked_at

if TYPE_CHECKING:
    from tests.browser.people import People
    from tests.browser.proxy import Road

# Playwright keeps an event loop in this thread, which Django otherwise refuses to share.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# What the console says of refused requests, and of connections that a test cuts.
EXPECTED = (
    "the server responded with a status of 4",
    "ERR_INTERNET_DISCONNECTED",
    "ERR_FAILED",
    "htmx:sendError",
    "htmx:sendAbort",  # A newer question overtook one.
    "htmx:afterRequest",  # That is how htmx names one without an answer.
    "when fetching the script",  # The browser looks for a newer service worker.
    "Service Worker registration blocked",
)
PHONE: ViewportSize = {"width": 360, "height": 740}

# What axe's rules ask about: of each visible element that means something what it is, its states,
# whether it has words, labels and names, and whether references lead anywhere; which heading
# follows which; and of each text its colour, size and ground.
KINDS = r"""() => {
    const valued = /^(role|lang|scope|tabindex|autocomplete|aria-(?!label|desc).*)$/;
    const telling = /^(alt|title|href|src|disabled|placeholder|aria-.*)$/;
    const references = /^(for|aria-(labelledby|describedby|controls|owns))$/;
    const plain = /^(DIV|SPAN|P|B|I|EM|STRONG|SMALL|TBODY|BR|HR|DATA|TIME|svg|use|g|path)$/;
    const count = {};
    for (const { id } of document.querySelectorAll("[id]")) count[id] = (count[id] ?? 0) + 1;
    const mark = ({ name, value }) => {
        if (references.test(name)) return [name, value.split(/\s+/).map((id) => !!count[id])];
        if (name === "href" && value[0] === "#") return [name, value.slice(1) in count];
        if (valued.test(name)) return [name, value.replace(/\d+/g, "0")];
        return telling.test(name) ? [name, value !== ""] : "";
    };
    const has_words = (element) => element.textContent.trim() !== "";
    const grounds = new Map([[null, ""]]);
    const ground = (element) => {
        if (!grounds.has(element)) grounds.set(element, ground_of(element));
        return grounds.get(element);
    };
    const ground_of = (element) => {
        const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
        const own = backgroundImage === "none" ? backgroundColor : backgroundImage;
        const clear = own === "rgba(0, 0, 0, 0)" && opacity === "1";
        return clear ? ground(element.parentElement) : `${own} ${opacity}`;
    };
    const kinds = [];
    for (const element of document.querySelectorAll("html, title, meta[name=viewport], body *")) {
        if (element.matches("script, style, body *") && !element.checkVisibility()) continue;
        const { tagName, parentElement } = element;
        const marks = [...element.attributes].map(mark).filter(Boolean).sort();
        const scrolls = element.scrollWidth > element.clientWidth
            && /auto|scroll/.test(getComputedStyle(element).overflowX);
        if (marks.length || scrolls || !plain.test(tagName)) kinds.push([
            tagName, marks, /^(LI|D[TD]|T.)$/.test(tagName) && parentElement.tagName,
            !!element.closest("html:not(:has(main)), main, nav, header, footer, aside, dialog"),
            parentElement?.closest("a, button, label, [aria-hidden=true]")?.tagName,
            has_words(element), [...element.labels ?? []].some(has_words),
            count[element.id] > 1, scrolls, element.content,
        ].join("|"));
        if ([...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim())) {
            const { color, fontSize, fontWeight } = getComputedStyle(element);
            const is_large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
            kinds.push(`look ${color} ${is_large} ${ground(element)}`);
        }
    }
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
    headings.forEach((one, place) => kinds.push(`${headings[place - 1]?.tagName} ${one.tagName}`));
    const areas = [...document.querySelectorAll("nav, aside, section, main")].map((one) =>
        `${one.tagName} ${one.ariaLabel} ${one.getAttribute("aria-labelledby")}`);
    return [...new Set([...kinds, `twins ${new Set(areas).size < areas.length}`])];
}"""

_known: set[str] = set()
_every_time = False


@pytest.fixture(autouse=True, scope="session")
def _look_every_time(pytestconfig: pytest.Config) -> None:
    global _every_time
    _every_time = pytestconfig.getoption("--long")


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


@pytest.fixture
def road(live_server) -> Iterator[Road]:
    """The way from phones to the server, on which others may answer."""
    from tests.browser.proxy import road_to

    with road_to(live_server.url) as road:
        yield road


@pytest.fixture
def phone(browser: Browser, live_server) -> Iterator[Page]:
    """A phone whose language is Vietnamese."""
    with open_page(browser, live_server.url, language="vi-VN") as page:
        yield page


@contextmanager
def open_page(
    browser: Browser,
    address: str,
    *,
    size: ViewportSize = PHONE,
    language: str = "en-GB",
    service_workers: Literal["allow", "block"] = "block",
    touch: bool = False,
    zone: str | None = None,
) -> Iterator[Page]:
    """A page of a new visitor whose script errors and refused contents fail the test.

    Only what works without a connection, and news, needs the service worker.
    """
    context = browser.new_context(
        viewport=size,
        base_url=address,
        locale=language,
        timezone_id=zone or ("Asia/Ho_Chi_Minh" if language.startswith("vi") else None),
        reduced_motion="reduce",
        service_workers=service_workers,
        has_touch=touch,
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


def sign_in(page: Page, user: User) -> None:
    """Signs in without the form, by the cookie that it would give."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "domain": "localhost", "path": "/"}
    page.context.add_cookies([cookie])


def tile(page: Page, name: str) -> Locator:
    """Return a person's tile at an entry: by the whole name, as “An” is in “Giang”."""
    return page.locator("[data-tap]").filter(has=page.get_by_text(name, exact=True))


def says_who(page: Page, name: str) -> None:
    """Choose a name on the night's link, and say that it is one's own."""
    chosen = re.compile(rf"^\s*{re.escape(name)}(?!\S)")
    page.locator(".whose > label", has_text=chosen).click()
    page.locator(".whose > .panel:visible .btn-primary").click()


def comes_to(page: Page, found: Callable[[], Any], wanted: Any) -> None:
    """Wait until this is found; Playwright's own way needs an eval that our pages refuse."""
    for _ in range(200):
        if found() == wanted:
            return
        page.wait_for_timeout(100)
    assert found() == wanted


GOING = ("context was destroyed", "reading 'scrollWidth'")
"""What Playwright says of a page that another one takes the place of."""


def check_page(page: Page) -> None:
    """No accessibility fault that axe finds, and nothing wider than the phone.

    The short form asks axe where there is a kind of element, or a look, that it has not seen yet.
    A click does not wait for the page that it leads to: that page is checked when it has come.
    """
    try:
        _check_page(page)
    except PlaywrightError as left:
        if not any(words in left.message for words in GOING):
            raise
        page.wait_for_load_state()
        _check_page(page)


def _check_page(page: Page) -> None:
    kinds = {md5(kind.encode()).hexdigest() for kind in page.evaluate(KINDS)}
    if _every_time or not (kinds <= _known or kinds <= _looked_at_elsewhere()):
        assert (page.url, faults_of(page)) == (page.url, [])
        with looked_at().open("a") as told:
            told.write("".join(f"{kind}\n" for kind in kinds - _known))
        _known.update(kinds)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert (page.url, width) == (page.url, page.viewport_size["width"])


def _looked_at_elsewhere() -> set[str]:
    with suppress(FileNotFoundError):
        _known.update(looked_at().read_text().split())
    return _known


def faults_of(page: Page) -> list[list[Any]]:
    """What axe finds: the rule, and the elements."""
    page.evaluate(AXE)
    found: list[list[Any]] = page.evaluate("""async () => {
        const quick = { selectors: false, preload: false, iframes: false };
        const found = await axe.run({ resultTypes: ["violations"], ...quick });
        return found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]);
    }""")
    return found


def shot(page: Page, name: str, *, whole: bool = True) -> None:
    """Keeps a picture of the `whole` page, or of what is in sight, where SHOTS names a folder."""
    if folder := os.environ.get("SHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}.png", full_page=whole)


def seen(page: Page, name: str, *, whole: bool = True) -> None:
    """Nothing is wrong with the page, and its picture is kept."""
    check_page(page)
    shot(page, name, whole=whole)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Keeps a picture of the page where a browser test failed, in the folder that SHOTS names."""
    report = yield
    if report.when == "call" and report.failed and "page" in item.funcargs:
        shot(item.funcargs["page"], f"failed-{item.name}")
    return report
