"""What every screen of club and night keeps, looked at on a phone and on a desk."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from league.nights.acts import closing
from tests.browser.conftest import PHONE, check_page, sign_in
from tests.factories import make_night, make_round, owner_of, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PRIMARY = "main .btn-primary:visible, main .btn-gold:visible"
FIELDS = "main :is(input:not([type=hidden]), select, textarea):visible"
NAMED = (
    ".table-tile:not(.done) .tile-people > span",
    ".standings tbody tr:not(:has(th[scope=rowgroup]))",
    ".seats .seat",
    ".chips .btn[name=player]",
    ".podium li",
    ".wall-oval ol > li",
    ".wall-side ol > li",
)
DOORS, SEGMENTS = 5, 4
THUMB, DESK = {"width": 360, "height": 620}, {"width": 1440, "height": 900}
ABOVE_DOORS = 562


@pytest.fixture
def night():
    """A night with an early finish at table 1, one game at table 2 and none at table 3."""
    event = make_night(12, rules="mien-nam", games_per_round=2, rounds_planned=2)
    first, second, _third = make_round(event).sittings.order_by("table_no")
    for sitting in (first, first, second):
        play(sitting)
    return event


def addresses(event):
    club = f"/clubs/{event.season.club.slug}/"
    here = f"{club}events/{event.pk}/"
    return [
        club,
        f"{club}seasons/{event.season_id}/",
        *(f"{here}{rest}" for rest in ("", "check-in/", "rounds/1/", "recap/")),
    ]


@pytest.mark.always
def test_each_screen_has_one_first_action_in_sight_faces_and_five_doors(page: Page, night):
    sign_in(page, owner_of(night))
    for address in addresses(night):
        page.set_viewport_size(THUMB)
        page.goto(address)
        primary = page.locator(PRIMARY)
        assert (address, primary.count() <= 1) == (address, True)
        assert page.locator(".doors a").count() == DOORS
        for bar in page.locator(".segments").all():
            assert bar.locator("a").count() <= SEGMENTS
        for kind in NAMED:
            without = page.locator(f"{kind}:not(:has(.ava))").count()
            assert (address, kind, without) == (address, kind, 0)
        for box in (one.bounding_box() for one in primary.all()):
            assert (address, box["y"] + box["height"] <= ABOVE_DOORS) == (address, True)
        assert (address, page.locator(FIELDS).count() <= 1) == (address, True)


def test_on_a_desk_the_parts_of_a_night_lie_side_by_side(page: Page, night):
    sign_in(page, owner_of(night))
    page.set_viewport_size(DESK)
    for address, least in zip(addresses(night), (3, 2, 3, 1, 2, 2), strict=True):
        page.goto(address)
        columns = page.evaluate("""() => {
            const parts = document.querySelectorAll("main .columns > *");
            const shown = [...parts].map((part) => part.getBoundingClientRect());
            return new Set(shown.filter((box) => box.width).map((box) => Math.round(box.x))).size;
        }""")
        assert (address, max(columns, 1) >= least) == (address, True)


def test_tables_come_by_need_and_what_is_done_is_one_line(page: Page, night):
    sign_in(page, owner_of(night))
    page.goto(addresses(night)[2])
    assert page.locator(".table-tile .tile-no").all_inner_texts() == ["3", "2", "1"]
    assert page.locator(".table-tile.late .tile-no").all_inner_texts() == ["3"]
    done, running = (page.locator(f".table-tile.{tone}").bounding_box() for tone in ("done", "run"))
    assert done["height"] < running["height"] / 1.5
    title = page.locator(".next-step h2").inner_text()
    assert "3 of 6 games" in title
    assert page.locator(".next-step .btn-primary").inner_text() == "QR code"


def test_a_code_can_be_scanned_at_night(page: Page, night):
    sign_in(page, owner_of(night))
    page.emulate_media(color_scheme="dark")
    page.goto(addresses(night)[2])
    frame = page.locator(".own-code .qr-frame")
    assert frame.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"


def test_on_a_phone_the_standings_are_a_segment_of_their_own(page: Page, night):
    sign_in(page, owner_of(night))
    ranks, tables = page.locator(".night-ranks"), page.locator(".night-tables")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(addresses(night)[2])
    assert (ranks.is_visible(), tables.is_visible()) == (True, True)
    page.set_viewport_size(PHONE)
    assert (ranks.is_visible(), tables.is_visible()) == (False, True)
    page.get_by_label("Night").get_by_role("link", name="Standings").click()
    page.wait_for_url("**/?show=standings")
    assert (ranks.is_visible(), tables.is_visible()) == (True, False)
    here = page.locator(".segments [aria-current]")
    assert here.inner_text() == "Standings"
    check_page(page)
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    page.goto(addresses(night)[2])

    def shown():
        return here.inner_text(), ranks.is_visible(), tables.is_visible()

    assert shown() == ("Standings", True, False)
    rows = ranks.locator("tbody tr:visible")
    expect(rows).to_have_count(10)
    ranks.get_by_role("link", name="All 12 players").click()
    expect(rows).to_have_count(12)
    page.get_by_label("Night").get_by_role("link", name="Tables").click()
    page.wait_for_url("**/?show=tables")
    assert shown() == ("Tables", False, True)
    check_page(page)


def test_a_phone_shows_all_that_the_standings_of_a_night_for_money_have_for_it(page: Page):
    event = make_night(8, rules="killa", stake=10_000)
    for table in make_round(event).sittings.all():
        play(table)
    sign_in(page, owner_of(event))
    page.set_viewport_size(PHONE)
    page.goto(f"{addresses(event)[2]}?show=standings")
    columns = page.locator(".standings thead th:visible").all_inner_texts()
    assert columns == ["Rank", "Player", "Money", "Points"]
    notes = page.locator(".night-ranks .row-note").locator("visible=true")
    expect(notes).to_have_count(0)
    play(table, game_no=2)
    page.reload()
    told = sorted(note.partition(" · ")[0] for note in notes.all_inner_texts())
    assert told == ["1 game"] * 4 + ["2 games"] * 4
    table = page.locator(".night-ranks .table-scroll")
    assert table.evaluate("e => e.scrollWidth - e.clientWidth") == 0
