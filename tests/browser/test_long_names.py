"""Names that nobody expects and large text: no page grows wider than the screen."""

import datetime

import pytest
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from league.clubs.acts import players
from league.nights.acts import closing, draws
from league.turnout.acts import sign_ups
from tables.runs import runs
from tests import factories
from tests.browser.conftest import PHONE, check_page, sign_in
from tests.browser.entering import saves
from tests.factories import (
    make_club,
    make_night,
    make_round,
    make_season,
    make_tournament,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE: ViewportSize = {"width": 1440, "height": 900}
LONG = [
    "KhôngDấuCách" * 5,
    "محمد علي",
    "👨‍👩‍👧‍👦 Gia đình",
    "Nguyễn Phúc Bảo Long Tôn Thất Hoàng Diệu Linh",
]


@pytest.mark.always
def test_long_names_widen_no_page_of_a_night(page: Page):
    season = make_season(rules="mien-nam")
    owner = owner_of(season)
    made = players.add_players(club=season.club, text="\n".join(LONG), by=owner).players
    assert len(made) == 4
    event = make_night(0, season=season, stake=1_000_000)
    event.entrants.update(presence="here")
    make_round(event)
    sign_in(page, owner)
    night = f"/clubs/{season.club.slug}/events/{event.pk}/"
    page.goto(f"{night}rounds/1/tables/1/")
    taps = page.locator("[data-tap]")
    for index in range(3):
        taps.nth(index).click()
    expect(page.locator(".preview tbody tr")).to_have_count(4)
    check_page(page)
    saves(page, 1)
    check_page(page)
    for rest in (
        "",
        "share/",
        "check-in/",
        "rounds/1/",
        "rounds/1/swap/",
        "rounds/1/print/",
        "rounds/1/tables/1/games/1/",
    ):
        page.goto(f"{night}{rest}")
        check_page(page)
        for table in page.locator(".night-ranks .table-scroll").all():
            assert table.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    draws.draw_round(event=event, by=owner, seed=2, anyway=True)
    page.goto(f"{night}rounds/2/")
    expect(page.locator("svg.met-map")).to_be_visible()
    check_page(page)
    page.goto(f"/clubs/{season.club.slug}/players/")
    check_page(page)


TOUCHING = """() => {
    const found = [];
    const boxes = (selector) => [...document.querySelectorAll(`.drawn-tables ${selector}`)].map(
        (one) => [one.innerText.trim(), one.getBoundingClientRect()],
    );
    const names = boxes(".seat-name");
    const LINE = parseFloat(getComputedStyle(document.querySelector(".seat-name")).lineHeight);
    const others = [...names, ...boxes(".seats-table"), ...boxes(".ava")];
    for (const [name, a] of names) {
        for (const [other, b] of others) {
            const isBeside = a.left >= b.right || b.left >= a.right;
            if (a !== b && !isBeside && a.top < b.bottom && b.top < a.bottom)
                found.push([name, other]);
        }
        if (a.left < 0 || a.right > innerWidth) found.push([name, "the edge"]);
        if (Math.round(a.height / LINE) > name.split(" ").length) found.push([name, "in two"]);
    }
    return found;
}"""
"""A drawn round's names that lie over another one, a table, a face or the edge, or are in two."""
FROM_5_TO_17 = [
    *("Phượng", "Bích Thủy", "Anh Tuấn", "Chú Năm", "Minh Béo", "Khánh", "Nguyễn Hường"),
    *("Trương Phượng", "Đặng Quốc Khánh", "Nguyễn Phương Anh", "Christopher", "Nghiêngnghiêng"),
]


@pytest.mark.parametrize(
    "tables", [1, 5, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3, 9, 15))]
)
def test_the_names_of_a_round_are_whole_and_lie_over_nothing(page: Page, monkeypatch, tables):
    many = [*FROM_5_TO_17, *(f"{name} {n}" for n in range(1, 9) for name in FROM_5_TO_17[:7])]
    monkeypatch.setattr(factories, "NAMES", many)
    event = make_night(4 * tables - (tables > 1))
    make_round(event)
    page.goto(path_of(event, "round", 1))
    check_page(page)
    expect(page.locator(".seats-table:visible")).to_have_count(tables)
    assert page.evaluate(TOUCHING) == []
    name = page.locator(".drawn-tables .seat-name").first
    expect(name).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_a_long_venue_widens_no_page_of_a_night_to_come(page: Page):
    season = make_season(make_club(is_public=True), rules="mien-nam")
    club, owner, venue = season.club, owner_of(season), ("KhôngDấuCách" * 7)[:80]
    day = club.today + datetime.timedelta(days=7)
    night = make_night(0, season=season, date=day, starts_at=datetime.time(20), venue=venue)
    sign_ups.open_list(event=night, by=owner)
    shown = [path_of(night, "event"), night_link(night), path_of(club, "club")]
    for address in shown:
        page.goto(address)
        check_page(page)
        expect(page.locator("main").get_by_text(venue).first).to_be_visible()
    sign_in(page, owner)
    for address in ("/", *shown, path_of(night, "sign_up")):
        page.goto(address)
        check_page(page)
    for name in ("event_create", "event_settings"):
        page.goto(path_of(season if name == "event_create" else night, name))
        chip = page.locator(".chip").filter(has_text=venue)
        check_page(page)
        chip.locator("summary").click()
        check_page(page)
        expect(page.get_by_label("Venue")).to_have_value(venue)


def test_a_message_with_a_long_word_is_no_wider_than_its_page(page: Page, settings):
    settings.HAS_MAIL = True
    email = f"{'w' * 60}@club.example"
    page.goto(reverse("account_signup"))
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill("mot-hai-ba-bon")
    page.get_by_role("button", name="Sign up").click()
    message = page.locator(".message", has_text=email)
    expect(message).to_be_visible()
    assert message.bounding_box()["width"] <= page.viewport_size["width"]
    check_page(page)


LARGE = """addEventListener("DOMContentLoaded", () => {
    document.documentElement.style.fontSize = "200%";
    dispatchEvent(new Event("resize"));
})"""


BROKEN = """async () => {
    const broken = () => {
        const found = [];
        const main = document.querySelector("main");
        const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
        for (let text; (text = texts.nextNode());) {
            if (!text.parentElement.checkVisibility()) continue;
            for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
                const range = new Range();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                const tops = [...range.getClientRects()].map((box) => Math.round(box.top));
                if (word.length < 7 && new Set(tops).size > 1) found.push(word);
            }
        }
        return found;
    };
    await document.fonts.ready;
    for (let frames = 0; frames < 120 && broken().length; frames += 1)
        await new Promise(requestAnimationFrame);
    return broken();
}"""
"""The short words that stand on more than one line, once the page is laid out."""

TOO_WIDE = """() => {
    const boxes = document.querySelectorAll(".table-scroll:has(> .standings), .podium li");
    const wide = (box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1;
    return [...boxes].filter(wide).map((box) => box.textContent.replace(/\\s+/g, " "));
}"""


@pytest.mark.always
def test_text_twice_as_large_widens_no_page(page: Page):
    season = make_season(rules="mien-nam")
    owner = owner_of(season)
    event = make_night(8, season=season, stake=10_000, games_per_round=1)
    sitting = make_round(event).sittings.get(table_no=1)
    names = names_at(sitting)
    # Who plays at the first table has a third game, and other figures on their page.
    mine = season.club.players.get(name=names[0])
    seldom = season.club.players.exclude(name__in=names).order_by("pk")[0]
    mine.user = owner
    mine.save()
    play(sitting, names)
    day = season.club.today
    for days in (7, 14):
        before = make_night(season=season, date=day - datetime.timedelta(days), games_per_round=1)
        play(seats := make_round(before).sittings.get(), names_at(seats))
        closing.close_event(event=before, by=owner)
    page.add_init_script(LARGE)

    def assert_fits(address):
        page.goto(address)
        page.set_viewport_size(WIDE)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert (address, wide, page.evaluate(BROKEN)) == (address, WIDE["width"], [])
        page.set_viewport_size(PHONE)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert (address, width) == (address, page.viewport_size["width"])
        assert (address, page.evaluate(TOO_WIDE)) == (address, [])

    assert_fits("/")
    sign_in(page, owner)
    club = f"/clubs/{season.club.slug}/"
    night = f"{club}events/{event.pk}/"
    for address in (
        *("/", "/tables/", "/tables/ratings/", "/learn/", "/bots/", "/clubs/", "/people/me/"),
        *(club, f"{club}players/", f"{club}seasons/{season.pk}/", f"{club}manage/"),
        *(f"{club}players/{one.pk}/" for one in (seldom, mine)),
        f"/clubs/~me/{event.pk}/",
        *(f"{night}{rest}" for rest in ("", "check-in/", "rounds/1/", "rounds/1/tables/1/")),
        *(f"{night}{rest}" for rest in ("money/", "recap/", "settings/", "?show=standings")),
        path_of(before, "event"),
    ):
        assert_fits(address)
        if address in ("/tables/", night, f"{night}settings/") or "/players/" in address:
            assert (address, page.evaluate(BROKEN)) == (address, [])
        pictures = page.locator(".money-flow .chart, .lobby-fan").locator("visible=true")
        expect(pictures).to_have_count(0)
    page.goto(f"{night}wall/")  # A screen has the width for its text; a phone has not.
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.evaluate(BROKEN) == []


def test_a_page_that_is_open_stacks_as_its_text_becomes_twice_as_large(page: Page):
    event = make_night(8, games_per_round=1)
    sitting = make_round(event).sittings.get(table_no=1)
    play(sitting, names_at(sitting))
    sign_in(page, owner_of(event))
    page.set_viewport_size(WIDE)
    page.goto(path_of(event, "event"))
    for size, frame in (("200%", "static"), ("", "sticky")):
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        # The sheet for large text takes a moment.
        expect(page.locator(".frame")).to_have_css("position", frame)
        assert page.evaluate("document.documentElement.scrollWidth") == WIDE["width"]


def test_text_twice_as_large_keeps_the_names_of_bots_whole(page: Page):
    season = make_season(rules="thirteen")
    event = make_tournament(season, "greedy", "lowest", "random", "greedy", deals=2)
    while runs.play_next(event.run_id):
        runs.finish_if_done(run_id=event.run_id)
    page.add_init_script(LARGE)
    sign_in(page, owner_of(season))
    club = f"/clubs/{season.club.slug}/"
    names = page.locator(".bot-ranks .name, .luck-bars li")
    for address in (f"{club}events/{event.pk}/", f"{club}manage/"):
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert (address, width) == (address, page.viewport_size["width"])
        heights = names.evaluate_all("found => found.map((one) => one.offsetHeight)")
        assert all(height < 200 for height in heights), heights
