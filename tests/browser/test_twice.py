"""A thumb that taps twice where one tap was meant."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Club
from tests.browser.conftest import sign_in
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_two_taps_start_one_club_and_going_back_starts_another(page: Page):
    sign_in(page, make_user())
    page.goto("/clubs/new/")
    page.locator("#id_name").fill("Hội Chạm Đúp")
    page.get_by_role("button", name="Start the club").dblclick()
    page.wait_for_url("**/players/")
    assert Club.objects.count() == 1
    page.go_back()
    page.locator("#id_name").fill("Hội Nữa")
    page.get_by_role("button", name="Start the club").click()
    page.wait_for_url("**/hoi-nua/players/")
    expect(page.get_by_role("heading", name="Players", exact=True)).to_be_visible()
    assert Club.objects.count() == 2
