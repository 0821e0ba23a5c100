"""An evening abroad in Chromium: quarters in San José, cents in Berlin, from names to paid."""

import re

import pytest
from playwright.sync_api import expect

from league.models import Event
from league.money.facts import open_debts
from tests.browser.conftest import check_page, open_page, seen, shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENINGS = [
    ("San Jose, USA", ".25", "en-GB", "Draw the tables", "Let's play", "$0.25"),
    ("Berlin, Germany", "0,20", "vi-VN", "Xếp bàn", "Đánh thôi", "0,20 €"),
]


@pytest.mark.parametrize(("place", "typed", "language", "draw", "start", "stake"), EVENINGS)
def test_an_evening_counts_and_settles_in_the_money_of_its_place(
    browser, live_server, place, typed, language, draw, start, stake
):
    zone = {"en-GB": "America/Los_Angeles", "vi-VN": "Europe/Berlin"}[language]
    with open_page(browser, live_server.url, language=language, zone=zone) as phone:
        phone.goto("/clubs/~tonight/")
        phone.locator("#new-name").fill("An, Bình, Chi, Dũng")
        expect(phone.locator(".names-box li")).to_have_count(4)
        phone.locator(".recipe summary").click()
        phone.locator("[name=ruleset]").select_option("killa")
        phone.locator("[name=place]").fill(place)
        field = phone.locator("[name=stake]")
        field.fill("")
        field.press_sequentially(typed)
        expect(phone.locator("output")).to_have_text(f"= {stake}")
        assert field.get_attribute("inputmode") == "decimal"
        check_page(phone)
        phone.get_by_role("button", name=draw).click()
        phone.get_by_role("button", name=start).click()
        expect(phone.locator(".code-screen")).to_be_visible()
        event = Event.objects.get()
        night = f"/clubs/{event.season.club.slug}/events/{event.pk}/"

        phone.goto(f"{night}rounds/1/tables/1/")
        for tile in phone.locator("[data-tap]").all():
            tile.click()
        expect(phone.locator(".tap-sum").first).to_contain_text(stake.strip("€ "))
        shot(phone, f"currency-entry-360-{language}")
        phone.locator("[data-save]").click()
        expect(phone.locator("[data-played] tbody tr")).to_have_count(1)

        phone.goto(f"{night}money/")
        expect(phone.get_by_text(stake).first).to_be_visible()
        seen(phone, f"currency-money-360-{language}")
        phone.locator(".payment-more summary").first.click()  # Somebody leaves early.
        phone.get_by_role("button", name=re.compile("^(Mark as paid|Ghi đã trả)")).first.click()
        expect(phone.locator(".message.success")).to_contain_text(stake)
        assert list(open_debts.of_night(event)) == []


def test_what_is_said_beside_an_amount_is_what_stands_in_it(browser, live_server):
    """The answer to the place comes while the amount is typed."""
    with open_page(browser, live_server.url, language="vi-VN", zone="Europe/Berlin") as phone:
        phone.goto("/clubs/~tonight/")
        phone.locator("#new-name").fill("An, Bình, Chi, Dũng")
        expect(phone.locator(".names-box li")).to_have_count(4)
        phone.locator(".recipe summary").click()
        phone.locator("[name=stake]").fill("0,1")
        held = []
        phone.route("**/~tonight/", lambda route: held.append(route))
        phone.locator("[name=place]").fill("Paris, France")
        field = phone.locator("[name=stake]")
        field.fill("")
        field.press_sequentially("0,20")
        for _wait in range(100):
            if held:
                break
            phone.wait_for_timeout(50)
        with phone.expect_response("**/~tonight/"):
            for route in held:
                route.continue_()
        phone.unroute_all()
        expect(field).to_have_value("0,20")
        expect(phone.locator("output")).to_have_text("= 0,20 €")
