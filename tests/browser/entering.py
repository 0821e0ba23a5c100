"""What phones do at a table by its link: they tap, save, and see what was saved or waits."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Sitting
from tests.browser.conftest import tile
from tests.factories import names_at, secret_of


def link_of(sitting: Sitting) -> str:
    return reverse("league:link_table", args=[secret_of(sitting)])


def tap(page: Page, *names: str) -> None:
    for name in names:
        tile(page, name).click()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save the game").click()


def enter(page: Page, sitting: Sitting, first: int = 0) -> None:
    """Save a game that this seat wins, and after it the seats in their order."""
    names = names_at(sitting)
    tap(page, *(names[first:] + names[:first])[:3])
    save(page)


def played(page: Page, number: int) -> None:
    """So many games stand on the table's page."""
    expect(page.locator("[data-played] tbody tr")).to_have_count(number)


def saves(page: Page, number: int) -> None:
    """Save a game, which is the table's game with this number."""
    save(page)
    played(page, number)


def waits(page: Page, sentence: str, number: int = 1) -> None:
    """So many games wait in the phone, the first of them for this reason."""
    expect(page.locator(".queue li")).to_have_count(number)
    expect(page.locator(".queue li").first).to_contain_text(sentence)
