"""A release in the middle of a night, with open pages of the one before in a browser."""

import io
import re
import string
import subprocess
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.middleware import csrf
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from league.models import Audit, Claim, Club, Result, Sitting
from tables.web import old_pages
from tests.browser.conftest import PHONE, sign_in
from tests.browser.entering import link_of, played, save, tap
from tests.browser.live_site import site
from tests.browser.people import PLAY, secret
from tests.browser.proxy import Foreign, Road, road_to
from tests.browser.test_table import choose
from tests.factories import (
    make_night,
    make_round,
    names_at,
    night_secret,
    owner_of,
)
from tests.served import served
from tests.tables import live

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]
RELEASES = {"1.1": "6df84320", "2ae98547": "2ae98547"}
MARKED = f'body[hx-headers*="{settings.RELEASE}"]'
"""A page that this release drew."""
MINUTE = 60


def sources_of(commit: str, folder: Path) -> Path:
    """The files of that commit; a copy without its history cannot be upgraded from."""
    command = ["git", "archive", commit]
    packed = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip("the history of this checkout does not reach back to that release")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


@pytest.fixture(autouse=True)
def all_tokens(monkeypatch) -> None:
    """Accept the tokens of a release that knows nothing of the suite's own letters."""
    monkeypatch.setattr(csrf, "CSRF_ALLOWED_CHARS", string.ascii_letters + string.digits)
    monkeypatch.setattr(csrf, "invalid_token_chars_re", re.compile("[^a-zA-Z0-9]"))


@pytest.fixture
def night():
    event = make_night(8, rules="mien-nam", counting="average", stake=5)
    make_round(event)
    return event


class Pages:
    """Pages of several browsers, by name; errors of their scripts are kept."""

    def __init__(self, browser: Browser, road: Road) -> None:
        self.browser, self.road = browser, road
        self.open: dict[str, Page] = {}
        self.errors: list[str] = []

    def phone(self) -> BrowserContext:
        return self.browser.new_context(
            viewport=PHONE, base_url=self.road.address, locale="en-GB", service_workers="block"
        )

    def goto(self, name: str, path: str, phone: BrowserContext | None = None) -> Page:
        page = self.open[name] = (phone or self.phone()).new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{name}: {error}"))
        page.goto(path)
        return page


@pytest.fixture
def pages(browser: Browser) -> Iterator[Pages]:
    with road_to("http://localhost:1") as road:
        pages = Pages(browser, road)
        yield pages
        for page in pages.open.values():
            page.context.close()


def opened(pages: Pages, night, table) -> None:
    """Twelve pages of the release that serves: those of the host, of phones, of a player."""
    club, at, host = night.season.club, [night.season.club.slug, night.pk], pages.phone()
    pages.goto("host", "/robots.txt", host)
    sign_in(pages.open["host"], owner_of(club))
    pages.open["host"].goto(reverse("league:event", args=at))
    for name in ("check_in", "wall", "event_settings"):
        pages.goto(name, reverse(f"league:{name}", args=at), host)
    pages.goto("round", reverse("league:round", args=[*at, 1]), host)
    pages.goto("money", reverse("league:season_money", args=[club.slug, night.season_id]), host)
    link = reverse("league:link_night", args=[night_secret(night)])
    pages.goto("night", link)
    name = names_at(tables_of(night)[0])[0]
    pages.goto("mine", link).get_by_role("button", name=name).first.click()
    expect(pages.open["mine"].get_by_role("heading", name=f"{name}'s night")).to_be_visible()
    for name, sitting in zip(("away", "half"), tables_of(night), strict=True):
        pages.goto(name, link_of(sitting))
    pages.goto("player", f"/tables/{table.key}/chair/{secret(table, 0)}/")
    pages.goto("start", reverse("league:tonight"))


def tables_of(night) -> list[Sitting]:
    return list(night.rounds.get().sittings.order_by("table_no"))


def count_names(page: Page, number: int) -> None:
    expect(page.locator(".names-box li")).to_have_count(number)


ASK = ("host", "wall", "night", "mine", "away", "player")
"""They ask for news; check-in waits for a tap, and so do a page with taps and one with words."""


@pytest.mark.parametrize("commit", RELEASES.values(), ids=RELEASES)
def test_an_upgrade_in_the_middle_of_a_night(pages: Pages, night, commit, tmp_path, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 2)  # A minute holds only seven questions of a phone.
    road, (first, second) = pages.road, tables_of(night)
    table = live.open_table("penguin", people=4)
    live.set_hands(table, live.HANDS)
    with served(sources_of(commit, tmp_path)) as old:
        road.upstream = f"http://127.0.0.1:{old.port}"
        opened(pages, night, table)
        away, half, player, start = (
            pages.open[name] for name in ("away", "half", "player", "start")
        )
        assert len(pages.open) == 12
        assert not any(page.locator(MARKED).count() for page in pages.open.values())
        away.context.set_offline(True)
        for turn in range(2):
            names = names_at(first)
            tap(away, *(names[turn:] + names[:turn])[:3])
            save(away)
        tap(half, *names_at(second)[:2])
        start.locator("#new-name").fill("An\nBình\nChi")
        count_names(start, 3)
        choose(player, "3S")
        road.says = lambda _method, _path: Foreign(503)
        player.locator(PLAY).click()
        expect(player.locator("#own [data-say]")).to_contain_text("it is sent as soon as")
    with site() as now:
        road.upstream = now
        road.all_is_well()
        away.context.set_offline(False)
        until = time.monotonic() + MINUTE
        for name in ASK:
            left = max(until - time.monotonic(), 0.1)
            expect(pages.open[name].locator(MARKED)).to_be_attached(timeout=1000 * left)

        played(away, 2)
        expect(player.locator("[data-news]")).to_contain_text("Guest 0: 3 of spades")
        tap(half, names_at(second)[2])
        save(half)
        played(half, 1)
        pages.open["check_in"].locator("#people .chips button").first.click()
        pages.open["round"].get_by_role("link", name="Table 1").first.click()
        pages.open["money"].locator("main a").first.click()
        pages.open["event_settings"].get_by_role("button", name="Save").first.click()
        start.locator("#new-name").fill("Dung")
        start.locator("#new-name").press("Enter")
        count_names(start, 4)
        start.get_by_role("button", name="Draw the tables").click()
        start.get_by_role("button", name="Let's play").click()
        start.wait_for_url("**/events/**")
        for page in pages.open.values():
            expect(page.locator(MARKED)).to_be_attached()
    assert pages.errors == []
    assert sorted(Result.objects.values_list("sitting", "game_no", "version")) == sorted(
        [(first.pk, 1, 1), (first.pk, 2, 1), (second.pk, 1, 1)]
    )
    assert live.current(table).actions.count() == 1
    assert Audit.objects.filter(event=night, action__startswith="event.presence").count() == 2
    assert Claim.objects.count() == 1
    tonight = Club.objects.exclude(pk=night.season.club_id).get()
    assert {player.name for player in tonight.players.all()} == {"An", "Bình", "Chi", "Dung"}
