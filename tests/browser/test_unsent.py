"""A form that is sent after the session ended: what was typed comes back after signing in."""

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from league.base.acts import links
from tests.browser.conftest import PHONE, says_who, sign_in
from tests.factories import make_club, make_night, make_table, make_user, names_at, owner_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def form(page: Page):
    """The list of names of a club without players, typed in."""
    club = make_club()
    sign_in(page, owner_of(club))
    page.goto(f"/clubs/{club.slug}/players/")
    names = page.locator("main textarea")
    names.fill("Lan\nHùng")
    return names


def send(page: Page) -> None:
    page.get_by_role("button", name="Add", exact=True).click()


def test_what_was_typed_comes_back_after_signing_in(page: Page, form):
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    send(page)
    page.get_by_label("Email").fill(User.objects.get().email)
    page.get_by_label("Password").fill("s3cret-word")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator("main textarea")).to_have_value("Lan\nHùng")
    send(page)
    expect(page.locator("#messages")).to_contain_text("2 players added.")
    page.reload()
    expect(page.locator("main textarea")).to_have_value("")


def test_what_was_typed_comes_back_after_the_page_was_too_old(page: Page, form):
    page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
    send(page)
    expect(page.get_by_role("heading", name="This page is out of date")).to_be_visible()
    page.goto(page.url)
    expect(page.locator("main textarea")).to_have_value("Lan\nHùng")


def test_what_was_sent_does_not_come_back(page: Page, form):
    send(page)
    expect(page.locator("#messages")).to_contain_text("2 players added.")
    expect(page.locator("main textarea")).to_have_value("")


def test_what_was_sent_on_after_the_password_was_confirmed_does_not_come_back(page: Page):
    page.set_viewport_size(PHONE)
    sign_in(page, make_user())
    page.goto("/people/me/account/")
    page.get_by_text("I want to delete my account").click()
    page.get_by_label("Type your email").fill("wrong@club.example")
    page.get_by_role("button", name="Delete my account permanently").click()
    page.get_by_label("Password").fill("s3cret-word")
    page.get_by_role("button", name="Confirm", exact=True).click()
    said = page.locator("#messages").get_by_text("is not the email of this account")
    expect(said).to_be_in_viewport()
    expect(page.locator("#erase-email")).to_have_value("")


def test_of_forms_alike_the_one_that_was_typed_in_has_it_again(page: Page):
    """A player's night asks of each game what is right."""
    sitting = make_table(make_night(), games=3)
    secret = links.keep_for_night(event=sitting.round.event).secret
    page.goto(reverse("league:link_night", args=[secret]))
    says_who(page, names_at(sitting)[0])
    page.locator("summary", has_text="game 2").click()
    page.locator("details[open] summary", has_text="Report a mistake").click()
    note = page.locator("details[open] [name=note]")
    note.fill("Lan was first")
    asked = note.get_attribute("id")
    page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
    page.locator("details[open] [name=dispute]").first.click()
    expect(page.get_by_role("heading", name="This page is out of date")).to_be_visible()
    page.goto(page.url)
    expect(page.locator(f"#{asked}")).to_have_value("Lan was first")
