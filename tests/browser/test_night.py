"""A club night from sign-up to the season's table, as a new organiser does it on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from league.models import Event, Result, Tally
from tests.browser.conftest import check_page, shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = [
    "Lan",
    "Hùng",
    "Đức",
    "Hà",
    "Nam",
    "Mai",
    "Bảo",
    "Tâm",
    "Yến",
    "Khoa",
    "Ánh",
    "Huy",
    "Thủy",
]


def sign_up(page: Page) -> None:
    page.goto("/accounts/signup/")
    check_page(page)
    page.get_by_label("Email").fill("to-chuc@club.example")
    page.get_by_label("Password", exact=True).fill("mot-hai-ba-bon")
    page.locator("main form button").first.click()
    expect(page.get_by_role("heading", name="Clubs", exact=True)).to_be_visible()


def start_club(page: Page) -> None:
    page.get_by_role("link", name="Start a club").click()
    check_page(page)
    page.get_by_label("name").fill("Hội Cầu Giấy")
    page.get_by_role("button", name="Start the club").click()
    page.get_by_label("Names, one per line").fill("\n".join(NAMES))
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("13 players added.")).to_be_visible()
    check_page(page)
    shot(page, "players")


def open_season(page: Page) -> None:
    page.get_by_role("link", name="Hội Cầu Giấy").click()
    check_page(page)
    page.get_by_role("link", name="New season").first.click()
    check_page(page)
    page.get_by_label("name").fill("Mùa thu")
    page.get_by_label("Rules").select_option("penguin")
    page.get_by_role("button", name="Open the season").click()
    expect(page.get_by_text("Season opened.")).to_be_visible()
    check_page(page)


def open_night(page: Page) -> None:
    page.get_by_role("link", name="New night").click()
    check_page(page)
    page.get_by_label("Games per round").fill("1")
    page.get_by_label("Stake per game").fill("10000")
    page.get_by_role("button", name="Next: check-in").click()
    page.get_by_role("button", name="Đức").click()
    expect(page.locator("p[data-says]")).to_contain_text("1")
    check_page(page)
    page.get_by_role("button", name="Everyone is here").click()
    expect(page.locator("p[data-says]")).to_contain_text("13")
    shot(page, "check-in")


def draw(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Draw round {number}").click()
    expect(page.get_by_text("No repeat meetings.")).to_be_visible()
    check_page(page)
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text(f"Round {number} released.")).to_be_visible()
    check_page(page)
    shot(page, f"round-{number}")


def enter_all(page: Page, number: int) -> None:
    """One game at each of the four tables: three taps and a save, two at the tables of three."""
    seating = page.url
    for table in range(1, 5):
        page.goto(f"{seating}tables/{table}/")
        taps = page.locator("[data-tap]")
        for index in range(taps.count() - 1):
            taps.nth(index).click()
        if table == 1:
            check_page(page)
            shot(page, f"entry-{number}")
        page.get_by_role("button", name="Save the game").click()
        expect(
            page.locator("[data-now]").get_by_text("All games of this round are entered.")
        ).to_be_visible()


def correct_a_game(page: Page) -> None:
    first = page.locator(".finish li").first.inner_text()
    page.get_by_role("link", name="Correct game 1").click()
    check_page(page)
    taps = page.locator("[data-tap]")
    page.locator(".tap-1").click()  # Takes all places back.
    for index in reversed(range(1, taps.count())):
        taps.nth(index).click()
    page.get_by_label("Reason").fill("wrong way round")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Game 1 corrected.")).to_be_visible()
    assert page.locator(".finish li").first.inner_text() != first
    check_page(page)


@pytest.mark.long  # my_night and the lived cup are evenings by browser in the short form.
def test_a_night_of_thirteen_over_three_rounds(page: Page):
    sign_up(page)
    start_club(page)
    open_season(page)
    open_night(page)
    page.get_by_role("link", name="Go to the night").click()
    night = page.url
    for number in (1, 2, 3):
        page.goto(night)
        draw(page, number)
        enter_all(page, number)
    correct_a_game(page)

    page.goto(night)
    expect(page.locator(".standings tbody tr")).to_have_count(13)
    check_page(page)
    shot(page, "night")
    page.get_by_role("link", name="Money").click()
    expect(page.get_by_text("Sum of all")).to_be_visible()
    check_page(page)

    page.goto(night)
    page.get_by_role("button", name="Close the night").click()
    expect(page.get_by_text("closed", exact=True)).to_be_visible()
    page.get_by_role("link", name="Mùa thu").click()
    expect(page.locator(".standings tbody tr")).to_have_count(13)
    check_page(page)
    shot(page, "season")

    assert Event.objects.get().status == "closed"
    assert Result.objects.filter(current=True).count() == 12
    assert sum(Tally.objects.values_list("games", flat=True)) == 39


def test_a_night_works_without_script(browser, live_server):
    """Every tap is then a page of its own, and the last place still fills itself in."""
    from tests.factories import make_member, make_table

    sitting = make_table()
    event = sitting.round.event
    scorer = make_member(event.season.club, "scorer")
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("#id_login", scorer.email)
    page.fill("#id_password", "s3cret-word")
    page.locator("main form button").first.click()
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/rounds/1/tables/1/")
    for index in range(3):
        page.locator("[data-tap]").nth(index).click()
    page.get_by_role("button", name="Save the game").click()
    expect(page.locator(".finish li")).to_have_count(4)
    context.close()
    assert Result.objects.count() == 1
