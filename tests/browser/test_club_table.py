"""A table for a stake from the club's page to the ledger: two phones, a laptop, and who watches."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.rules import ruleset
from league.models import ClubTable, Posting
from league.online.acts import stake_tables
from tables.play.acts import games
from tests.browser.conftest import PHONE, check_page, seen, sign_in
from tests.browser.people import LAPTOP, all_take_a_turn, open_panel
from tests.factories import make_member, make_season, owner_of
from tests.league.online.stake_tables import make_members, table_of_four
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=["one language", pytest.param("both", marks=pytest.mark.long)])
def look(request) -> Callable[[Page, str], None]:
    """A sound page; in the long form in Vietnamese, too."""

    def look_at(page: Page, name: str) -> None:
        seen(page, f"stakes-{name}")
        if request.param == "both":
            page.context.set_extra_http_headers({"Accept-Language": "vi"})
            page.reload()
            seen(page, f"stakes-{name}-vi")
            page.context.set_extra_http_headers({"Accept-Language": "en"})
            page.reload()

    return look_at


@pytest.fixture
def patience(monkeypatch) -> None:
    """No clock plays for them or deals the next game, however long these pages are looked at."""
    monkeypatch.setattr(games, "PAUSE", timedelta(hours=1))


@pytest.mark.usefixtures("patience")
def test_three_players_open_a_table_play_for_a_stake_and_find_it_in_the_ledger(people, look):
    no_instant_win = {"instant_wins": []}  # A hand would end the game as it is dealt.
    season = make_season(rules=ruleset.with_options(ruleset.preset("mien-nam"), no_instant_win))
    club = season.club
    members = make_members(club, 3)
    pages = [people.page(size=size) for size in (LAPTOP, PHONE, PHONE)]
    for page, member in zip(pages, members, strict=True):
        sign_in(page, member.user)
    guest, watcher = people.page(size=PHONE), people.page(size=PHONE)
    sign_in(watcher, make_member(club, "player"))

    pages[0].goto(reverse("league:manage", args=[club.slug]))
    pages[0].get_by_role("link", name="Money tables").click()
    expect(pages[0].get_by_label("Stake in kẹo")).to_be_visible()
    look(pages[0], "open-1440")
    pages[0].get_by_label("Stake in kẹo").fill("10")
    pages[0].get_by_label("Seats").select_option("3")
    pages[0].get_by_label("Clock").select_option("600")
    pages[0].get_by_role("button", name="Open the table and sit down").click()
    expect(pages[0].locator("#own")).to_contain_text("players of Hội Bạn can sit down")
    look(pages[0], "alone-1440")

    table = ClubTable.objects.get().table
    at = reverse("tables:table", args=[table.key])
    guest.goto(at)
    expect(guest.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(guest.locator("main").get_by_role("link", name="Sign in")).to_be_visible()
    look(guest, "guest-360")
    watcher.goto(at)
    expect(watcher.locator("#own")).to_contain_text("Stake 10 kẹo.")
    look(watcher, "watcher-360")

    for page, chair in zip(pages[1:], (2, 3), strict=True):
        page.goto("/tables/")
        page.locator("summary", has_text="More").click()
        page.get_by_role("link", name="Play for stakes").click()
        expect(page.get_by_role("link", name="Take a seat")).to_be_visible()
        if chair == 2:
            look(page, "list-360")
        page.get_by_role("link", name="Take a seat").click()
        expect(page.get_by_role("button", name=f"Seat {chair}")).to_be_visible()
        if chair == 2:
            look(page, "chair-360")
        page.get_by_role("button", name=f"Seat {chair}").click()
    expect(pages[0].locator("#own")).to_contain_text("Everyone is here.")
    look(pages[1], "full-360")
    pages[0].get_by_role("button", name="Deal now").click()

    board = pages[0].locator("#board-public")
    all_take_a_turn(pages)
    look(watcher, "watching-360")
    look(pages[2], "playing-360")
    live.play_quickly(table)
    expect(board).to_have_attribute("data-status", "between")
    assert stake_tables.take_games(table_id=table.pk) == 1
    for page, size in ((pages[0], "1440"), (pages[1], "360")):
        if page is not pages[0]:
            open_panel(page)
        expect(page.get_by_text("Games here go into the ledger of Hội Bạn")).to_be_visible()
        look(page, f"over-{size}")

    pages[1].get_by_role("link", name="Close", exact=True).click()
    pages[1].get_by_role("button", name="Get up").click()
    expect(pages[0].locator("#board-public")).to_have_attribute("data-status", "waiting")
    look(pages[0], "one-left-1440")
    open_panel(pages[1])
    pages[1].get_by_role("link", name="Games here go into the ledger of Hội Bạn").click()
    look(pages[1], "money-360")

    organiser = people.page(size=PHONE)
    sign_in(organiser, owner_of(club))
    organiser.goto(reverse("league:club_table", args=[club.slug, table.key]))
    look(organiser, "organiser-360")
    organiser.get_by_text("End this table").click()
    organiser.get_by_role("button", name="End after this game").click()
    expect(organiser.get_by_role("link", name="Play again")).to_be_visible()
    expect(board).to_have_attribute("data-status", "closed")
    look(pages[0], "closed-1440")
    organiser.goto(reverse("league:season_money", args=[club.slug, season.pk]) + "?show=all")
    organiser.get_by_text("Latest entries").click()
    expect(organiser.get_by_text("stakes table, game 1").first).to_be_visible()
    seen(organiser, "stakes-season-money-360")
    assert Posting.objects.get().transfers.exists()


def test_a_member_who_may_not_sit_reads_why_on_the_table(people):
    at_table, _players = table_of_four(sit=False)
    member, page = make_member(at_table.season.club, "player"), people.page(size=PHONE)
    sign_in(page, member)
    page.goto(reverse("tables:table", args=[at_table.table.key]))
    expect(page.get_by_role("button", name="Seat 2")).to_have_count(0)
    said = page.locator("#own .say")
    expect(said).to_contain_text("Only players of the club can sit here.")
    assert not said.evaluate("one => one.scrollHeight > one.clientHeight + 1"), "it is cut off"
    check_page(page)
