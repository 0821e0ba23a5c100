"""The ten ways that matter, in two languages and on three widths.

Every day each way is gone once, languages and widths in turn; `script/test --long` goes all of them
in all six. Words are taken from the catalogue, so that a way is the same in both languages.
"""

import itertools
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Browser, Page, expect

from league.arena.acts import bots
from league.models import Event, Player, Result, Round
from tables.runs import runs
from tests.browser.conftest import check_page, open_page, shot, sign_in
from tests.factories import (
    make_club,
    make_member,
    make_night,
    make_season,
    make_table,
    make_tournament,
    owner_of,
    secret_of,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LANGUAGES = {"vi": "vi-VN", "en": "en-GB"}
SIZES = {360: (360, 740), 768: (768, 1024), 1440: (1440, 900)}
NAMES = ["Lan", "Hùng", "Đức", "Hà", "Nam", "Mai", "Bảo", "Tâm"]


@dataclass
class Visitor:
    """A browser in one language, and the words that it reads."""

    page: Page
    address: str
    language: str

    def word(self, text: str, **params: object) -> str:
        with translation.override(self.language):
            found = gettext(text)
        assert self.language == "en" or found != text, f"{text!r} is no message of the catalogue"
        return found % params if params else found

    def press(self, name: str, role: str = "button", **params: object) -> None:
        self.page.get_by_role(role, name=self.word(name, **params), exact=True).first.click()

    def follow(self, name: str) -> None:
        self.press(name, "link")

    def sees(self, text: str, **params: object) -> None:
        expect(self.page.get_by_text(self.word(text, **params)).first).to_be_visible()

    def go(self, path: str) -> None:
        self.page.goto(path)
        check_page(self.page)


def a_night() -> SimpleNamespace:
    """A club with a night of eight, a round released and one game played."""
    season = make_season(make_club(name="Hội Cầu Giấy"), rules="mien-nam")
    night = make_night(8, season=season, stake=2, games_per_round=2)
    sitting = make_table(night, games=1)
    club = season.club
    home = f"/clubs/{club.slug}/"
    return SimpleNamespace(
        club=club, season=season, night=night, sitting=sitting, home=home,
        at=f"{home}events/{night.pk}/", owner=owner_of(club),
    )  # fmt: skip


def learn(visitor: Visitor) -> None:
    """A stranger comes to his first right play."""
    page = visitor.page
    visitor.go("/")
    page.locator("main a[href='/learn/']").click()
    visitor.follow("Begin")
    page.locator("#exercise label:has([value='3S'])").click()
    page.locator("#learn-play").click()
    visitor.sees("That is how most games begin: with the lowest card.")
    check_page(page)


def play_bots(visitor: Visitor) -> None:
    """A stranger opens a table and has cards in hand."""
    page = visitor.page
    visitor.go("/tables/")
    visitor.follow("Other rules…")
    page.locator("#id_rules").select_option("penguin")
    page.locator("#id_bots").select_option("greedy")
    visitor.press("Open the table")
    expect(page.locator("#own [name=cards]")).to_have_count(13)
    check_page(page)


def first_round(visitor: Visitor) -> None:
    """A stranger's first visit ends with a drawn round, in less than three minutes."""
    page, began = visitor.page, time.monotonic()
    page.goto("/")
    page.locator(".doors a[href='/clubs/']").click()
    visitor.follow("New club")
    page.locator("#id_email").fill("lan@club.example")
    page.locator("#id_password1").fill("mot-hai-ba-bon")
    page.locator("main form button").first.click()
    page.wait_for_url("**/clubs/new/")
    page.locator("#id_name").fill("Hội Cầu Giấy")
    visitor.press("Start the club")
    page.locator("main textarea").fill("\n".join(NAMES))
    visitor.press("Add")
    page.locator(".segments a").first.click()
    visitor.follow("New night")
    page.wait_for_url("**/events/new/")
    check_page(page)
    visitor.press("Create the night")
    visitor.press("Everyone is here")
    expect(page.locator(".btn-here")).to_have_count(8)
    check_page(page)
    visitor.press("Draw round %(number)s", number=1)
    expect(page.locator(".seats")).to_have_count(2)
    check_page(page)
    print(f"first visit to a drawn round: {time.monotonic() - began:.1f} s of a machine")
    assert Round.objects.get().sittings.count() == 2


def check_in(visitor: Visitor) -> None:
    """One who leaves too early is taken back, and the round is drawn early and released."""
    world, page = a_night(), visitor.page
    sign_in(page, world.owner)
    visitor.go(f"{world.at}check-in/")
    here = page.locator(".btn-here")
    expect(here).to_have_count(8)
    first = page.locator(".chips .btn").first
    first.click()
    expect(page.locator(".undo-line")).to_be_in_viewport(ratio=1)  # The game of that one is on.
    expect(here).to_have_count(8)
    page.locator(".undo-line a").click()
    expect(page.locator(".undo-line")).to_have_count(0)
    first.click()
    visitor.press("Mark as left")
    expect(here).to_have_count(7)
    expect(first).not_to_have_class(re.compile("btn-here"))
    expect(page.locator(".undo-line")).to_be_in_viewport(ratio=1)
    visitor.press("Undo")
    expect(here).to_have_count(8)
    check_page(page)
    page.locator("#night-menu > summary").click()
    visitor.press("Draw round %(number)s", number=2)
    expect(page.locator("h1")).to_have_text(visitor.word("Draw anyway?"))
    check_page(page)
    visitor.press("Draw anyway")
    visitor.press("Release")
    visitor.sees("Round %(round)s released.", round=2)
    check_page(page)


def enter(visitor: Visitor) -> None:
    """Somebody with the table's link enters a game with four taps."""
    world, page = a_night(), visitor.page
    visitor.go(f"/clubs/~table/{secret_of(world.sitting)}/")
    for index in range(3):
        page.locator("[data-tap]").nth(index).click()
    visitor.press("Save the game")
    expect(page.locator("[data-played] tbody tr")).to_have_count(2)
    check_page(page)
    assert Result.objects.filter(sitting=world.sitting, current=True).count() == 2


def correct(visitor: Visitor) -> None:
    """The scorer corrects a game, and says why."""
    world, page = a_night(), visitor.page
    sign_in(page, world.owner)
    visitor.go(f"{world.at}rounds/1/tables/{world.sitting.table_no}/games/1/")
    page.locator("summary", has_text=visitor.word("Correct this game")).click()
    page.locator(".tap-1").click()
    page.locator(".tap-2").click()
    page.locator("[data-tap][aria-pressed=false]").first.click()
    page.locator("[name=reason]").fill("nhầm")
    visitor.press("Save correction")
    visitor.sees("Game %(game)s corrected.", game=1)
    check_page(page)


def explain(visitor: Visitor) -> None:
    """A stranger opens the sum behind a row of the standings."""
    world, page = a_night(), visitor.page
    visitor.go(f"{world.at}?show=standings")
    expect(page.locator(".standings thead .total + th")).to_have_text(visitor.word("Games"))
    check_page(page)
    page.locator(".standings a[href*='/rows/']").first.click()
    page.wait_for_url("**/rows/**")
    check_page(page)
    visitor.sees("Sum")


def money(visitor: Visitor) -> None:
    """Who pays whom sums to nothing, and is for members."""
    world, page = a_night(), visitor.page
    visitor.go(f"{world.at}money/")
    visitor.sees("Page not found")
    sign_in(page, make_member(world.club, "player"))
    visitor.go(f"{world.at}money/")
    visitor.page.goto(visitor.page.url.split("?")[0] + "?show=all")
    visitor.sees("Sum of all")
    expect(page.locator("table").first).to_be_visible()


def watch(visitor: Visitor) -> None:
    """A stranger watches bots: the tournament, a game, a step of it."""
    page = visitor.page
    season = make_season(make_club(name="Hội Máy"), rules="thirteen")
    event = make_tournament(season, name="Máy đấu")
    runs.play_next(event.run_id)
    bots.record_run(run=event.run)
    visitor.go("/")
    page.locator("main a[href='/bots/']").click()
    page.locator(f"main a[href='/clubs/{season.club.slug}/events/{event.pk}/']").first.click()
    page.wait_for_url(f"**/events/{event.pk}/")
    check_page(page)
    page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/games/1/1/")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".record-steps span", has_text="1 / ")).to_be_visible()
    check_page(page)


def find(visitor: Visitor) -> None:
    """A stranger finds a player who agreed, without typing accents, and a table's rules."""
    world, page = a_night(), visitor.page
    player = world.night.entrants.get(player__name="Bình").player
    Player.objects.filter(pk=player.pk).update(shown="found")
    visitor.go("/clubs/")
    page.locator(".frame a[href='/search/']:visible").click()
    page.locator("#search-words").fill("binh")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=binh")
    check_page(page)
    page.get_by_role("link", name="Bình").click()
    expect(page.locator("h1")).to_contain_text("Bình")
    check_page(page)
    page.goto(f"{world.at}rounds/1/tables/{world.sitting.table_no}/")
    visitor.follow("The rules of this table")
    expect(page.locator(".rule-card header h2")).to_have_text("Tiến Lên Miền Nam")
    check_page(page)
    assert Event.objects.count() == 1
    assert player.club == world.club


WAYS: list[Callable[[Visitor], None]] = [
    learn, play_bots, first_round, check_in, enter, correct, explain, money, watch, find,
]  # fmt: skip
EVERY = list(itertools.product(LANGUAGES, SIZES))


def cases() -> Iterator[object]:
    for number, way in enumerate(WAYS):
        for turn, (language, width) in enumerate(EVERY):
            marks = [] if turn == number % len(EVERY) else [pytest.mark.long]
            name = f"{way.__name__}-{language}-{width}"
            yield pytest.param(way, language, width, marks=marks, id=name)


@pytest.mark.parametrize(("way", "language", "width"), list(cases()))
def test_a_way_that_matters(browser: Browser, live_server, way, language, width):
    wide, high = SIZES[width]
    size = {"width": wide, "height": high}
    details = {"size": size, "language": LANGUAGES[language], "service_workers": "allow"}
    with open_page(browser, live_server.url, **details) as page:
        way(Visitor(page, live_server.url, language))
        shot(page, f"{way.__name__}-{width}-{language}")
