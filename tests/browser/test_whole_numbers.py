"""No amount breaks in two lines on a phone, and a message ends with its cause."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, open_page, sign_in
from tests.factories import (
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    play,
    secret_of,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BROKEN = r"""() => {
    const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (!node.parentElement.checkVisibility()) continue;
        for (const one of node.data.matchAll(/[+−]?\d[\d.,]*\d(\s?đ)?/g)) {
            const range = document.createRange();
            range.setStart(node, one.index);
            range.setEnd(node, one.index + one[0].length);
            const tops = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
            if (tops.size > 1) found.push(one[0]);
        }
    }
    return found;
}"""


def test_sums_of_six_and_seven_digits_stand_in_one_line(browser, live_server):
    season = make_season(rules="mien-nam")
    season.club.unit = "đ"
    season.club.save()
    sitting = make_table(make_night(season=season, stake=400_000))
    for _game in range(3):
        play(sitting, names_at(sitting))
    first = sitting.seated[0].entrant.player
    with open_page(browser, live_server.url, language="vi-VN") as page:
        page.set_viewport_size(PHONE)
        page.goto(f"/clubs/~table/{secret_of(sitting)}/rounds/1/")
        page.get_by_role("button", name=first.name, exact=True).last.click()
        expect(page.locator(".figures")).to_contain_text("2.400k")
        assert page.evaluate(BROKEN) == []
        page.goto(f"/clubs/~table/{secret_of(sitting)}/rounds/1/games/1/")
        expect(page.locator(".tap-sum").first).to_have_text("+800k")
        assert page.evaluate(BROKEN) == []


CLIPPED = """() => [...document.querySelectorAll(".figures dd")]
    .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""


@pytest.mark.parametrize(("stake", "told"), [(53_350, "160.050"), (400_000, "1.200k")])
def test_a_sum_that_is_no_whole_thousand_stands_in_one_line_too(browser, live_server, stake, told):
    season = make_season(rules="mien-nam")
    season.club.unit = "đ"
    season.club.save()
    sitting = make_table(make_night(season=season, stake=stake))
    for _game in range(3):
        play(sitting, [names_at(sitting)[no] for no in (1, 0, 2, 3)])
    player = sitting.seated[1].entrant.player
    with open_page(browser, live_server.url, language="vi-VN") as page:
        page.set_viewport_size(PHONE)
        page.goto(f"/clubs/~table/{secret_of(sitting)}/rounds/1/")
        page.get_by_role("button", name=player.name, exact=True).last.click()
        expect(page.locator(".figures")).to_be_visible()
        found = [page.locator(".figures").inner_text()]
        assert (page.evaluate(BROKEN), page.evaluate(CLIPPED)) == ([], [])
        sign_in(page, owner_of(season.club))
        page.goto(reverse("league:player", args=[season.club.slug, player.pk]) + "?full=1")
        expect(page.locator(".figures").first).to_be_visible()
        found.append(page.locator(".figures").first.inner_text())
        assert (page.evaluate(BROKEN), page.evaluate(CLIPPED)) == ([], [])
    print(found)


def test_the_sentence_about_two_of_a_name_goes_with_the_second(page):
    page.goto("/clubs/~tonight/")
    page.locator("#new-name").fill("An, An,")
    expect(page.locator("[data-problems]")).to_contain_text("An")
    page.locator(".names-box [name=edit]").last.click()
    expect(page.locator("[data-problems]")).to_have_text("")
