"""Finding a name among many at the door."""

import pytest
from playwright.sync_api import Page, expect

from league.clubs.acts import players
from league.nights.acts import draws
from league.nights.pages import round_page
from tests import factories
from tests.browser.conftest import PHONE, check_page, sign_in
from tests.factories import make_night, make_round, make_season, names_at, owner_of, path_of, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_few_letters_without_accents_leave_the_right_name(page: Page):
    season = make_season()
    owner = owner_of(season.club)
    names = ["Đặng Hường", *(f"Người {number}" for number in range(100, 140))]
    players.add_players(club=season.club, text="\n".join(names), by=owner)
    event = make_night(0, season=season)
    sign_in(page, owner)
    page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/check-in/")
    chips = page.locator(".chips .btn")
    expect(chips).to_have_count(41)
    page.get_by_label("Find a player").fill("huong dan")
    expect(chips.filter(visible=True)).to_have_count(1)
    check_page(page)
    chips.filter(visible=True).click()
    expect(page.locator(".btn-here")).to_have_text("Đặng Hường")
    page.get_by_label("Find a player").fill("139")
    expect(chips.filter(visible=True)).to_have_text(["Người 139"])


def test_ones_table_and_place_in_a_night_are_found_by_typing(page: Page, monkeypatch):
    monkeypatch.setattr(
        factories, "NAMES", ["Đặng Hường", *(f"Người {n}" for n in range(101, 132))]
    )
    event = make_night(32, counting="average")
    for sitting in make_round(event).sittings.all():
        play(sitting, names_at(sitting))
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/")
    page.get_by_label("Find a player").fill("huong")
    expect(page.locator(".table-tile:visible")).to_have_count(1)
    expect(page.locator(".table-tile:visible")).to_contain_text("Đặng Hường")
    expect(page.locator(".standings tbody tr:visible")).to_have_count(1)
    check_page(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Seating")).to_be_visible()
    expect(page.locator(".seats")).to_have_count(1)
    check_page(page)


@pytest.mark.parametrize(
    ("long", "order"),
    [
        (30, [".felt-card", "summary", ".drawn-tables"]),
        (7, [".felt-card", ".by-name", ".drawn-tables"]),
    ],
)
def test_a_phone_reads_a_round_from_ones_own_seat_to_the_picture_or_a_long_list(
    page: Page, monkeypatch, long, order
):
    monkeypatch.setattr(round_page, "LONG", long)
    event = make_night(8, games_per_round=1)
    sitting, by = make_round(event).sittings.all()[0], owner_of(event)
    jump, names = page.get_by_role("link", name="By name"), page.locator(".by-name")

    def looks(number):
        page.goto(path_of(event, "round", number))
        check_page(page)
        parts = [page.locator("main").locator(one).last for one in order]
        at = [part.bounding_box()["y"] if part.count() else -1 for part in parts]
        return at == sorted(at), jump.count(), names.is_visible()

    assert looks(1) == (True, 0, True), "who has no table here looks for a name"
    players.take_player(player=sitting.places.all()[0].entrant.player, user=by)
    sign_in(page, by)
    assert looks(1) == (True, 0, long < 8)
    expect(page.get_by_role("heading", name="You sit at table")).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(names).to_be_visible()
    page.set_viewport_size(PHONE)
    draws.draw_round(event=event, by=by, seed=2, anyway=True)
    assert looks(2)[1:] == (1, True), "a draft is weighed, not read out"
