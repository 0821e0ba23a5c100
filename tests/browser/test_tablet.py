"""A tablet that lies on a table: it is nobody's, and its entry fills the screen."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from league.models import Claim, Result
from tests.browser.conftest import PHONE, check_page, open_page, shot, tile
from tests.browser.entering import played
from tests.factories import make_night, make_table, names_at, night_secret

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [{"width": 768, "height": 1024}, {"width": 1024, "height": 768}]


@pytest.fixture
def sitting():
    return make_table(make_night(8, rules="mien-nam", counting="average", stake=5))


@pytest.mark.parametrize("language", ["en", "vi"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_a_tablet_lies_on_the_table(browser: Browser, live_server, sitting, size, language):
    name = f"tablet-{size['width']}-{language}"
    with open_page(browser, live_server.url, size=size, language=language, touch=True) as page:
        page.goto(reverse("league:link_night", args=[night_secret(sitting.round.event)]))
        page.wait_for_load_state("networkidle")
        shot(page, f"{name}-night", whole=False)
        check_page(page)
        page.locator("[name=lies][value='1']").click()
        line = page.locator(".lies")
        expect(line).to_be_visible()
        expect(page.locator("#find-me")).to_have_count(0)
        check_page(page)
        for tapped in names_at(sitting)[:3]:
            tile(page, tapped).click()
        expect(page.locator("[data-preview] summary")).to_be_visible()
        assert page.evaluate("scrollY") == 0, "all of it is in sight"
        shot(page, name, whole=False)
        for part in (".lies", ".felt-round", ".specials", "[data-preview] summary", "[data-save]"):
            box = page.locator(part).first.bounding_box()
            assert box["y"] + box["height"] <= size["height"], part
        felt = page.locator(".felt-round").bounding_box()
        assert felt["width"] * felt["height"] > 0.25 * size["width"] * size["height"]
        page.locator("[data-save]").click()
        played(page, 1)
        assert (Claim.objects.count(), Result.objects.get().by) == (0, None)
        page.reload()
        line.get_by_role("button").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(sitting.round.event.name)
        expect(page.locator(".whose > label").first).to_be_visible()


@pytest.mark.parametrize(("size", "touch"), [(PHONE, True), (SIZES[1], False)])
def test_a_phone_and_a_laptop_are_somebodys(browser: Browser, live_server, sitting, size, touch):
    with open_page(browser, live_server.url, size=size, touch=touch) as page:
        page.goto(reverse("league:link_night", args=[night_secret(sitting.round.event)]))
        expect(page.locator("[name=lies][value='1']")).to_be_hidden()
