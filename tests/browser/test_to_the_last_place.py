"""Three nights as their people live them: a cup, the same cards for all, a stake that rises."""

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, expect

from league.models import Result
from league.nights.pages.same_deals import HAND_NAMES
from league.proof.facts import verify
from league.seasons.domain.same_deals import hand_of
from tests.browser.conftest import PHONE, check_page, open_page, seen, shot, sign_in
from tests.browser.evenings import button, close_night
from tests.browser.test_whole_numbers import BROKEN
from tests.factories import (
    NAMES,
    make_member,
    make_night,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    table_link,
)
from tests.league.nights.test_stages import groups_night
from tests.league.nights.waitlist_helpers import open_floor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GOLD = """() => [...document.querySelectorAll("main .medal-1")]
    .filter((one) => one.checkVisibility())
    .map((one) => one.closest("li, tr").innerText)"""


TALL = """() => [...document.querySelectorAll("main .medal")]
    .filter((one) => one.scrollHeight > one.clientHeight).map((one) => one.innerText)"""
"""Medals whose rank breaks in two, such as 1 and =."""


def at(event, name: str, *more: object) -> str:
    return path_of(event, name, *more)


def next_step(page: Page, text: str) -> None:
    """Tap what the night's page says comes next."""
    step = page.get_by_role("region", name=gettext("Next"), exact=True)
    step.get_by_text(text, exact=True).click()


def release(page: Page, number: int) -> None:
    button(page, gettext("Release")).click()
    told = gettext("Round %(round)s released.") % {"round": number}
    expect(page.locator("#messages").get_by_text(told)).to_be_visible()


def enter(page: Page, order: list[str]) -> None:
    """Tap the places of one game and save it."""
    for name in order[:-1]:
        page.locator("[data-tap]").filter(has=page.get_by_text(name, exact=True)).click()
    button(page, gettext("Save the game")).click()


def tables_of_a_cup():
    """Return a night of thirteen before its final."""
    event = groups_night(
        13, groups=3, group_rounds=2, final=4, rounds_planned=3, games_per_round=3, others_play=True
    )
    for _round in range(2):
        for sitting in open_floor(event).sittings.all():
            for _game in range(3):
                play(sitting, sorted(names_at(sitting), key=NAMES.index))
    return event


def test_a_cup_of_thirteen_has_one_gold_on_every_page_open_and_closed(browser, live_server):
    event = tables_of_a_cup()
    owner = owner_of(event)
    with (
        translation.override("vi"),
        open_page(browser, live_server.url, size=PHONE, language="vi-VN") as host,
        open_page(
            browser, live_server.url, size={"width": 1440, "height": 900}, language="en-GB"
        ) as stranger,
    ):
        sign_in(host, owner)
        host.goto(at(event, "event"))
        next_step(host, gettext("Draw the final"))
        release(host, 3)
        final, *beside = event.rounds.get(number=3).sittings.order_by("table_no")
        order = sorted(names_at(final), key=NAMES.index, reverse=True)
        for sitting in beside:
            for _game in range(3):
                play(sitting, sorted(names_at(sitting), key=NAMES.index, reverse=True))
        play(final, order)
        play(final, order)
        host.goto(at(event, "table", 3, final.table_no))
        enter(host, order)
        done = gettext("All games of this round are entered.")
        expect(host.locator("[data-now]").get_by_text(done)).to_be_visible()

        def has_one_gold(page: Page, name: str) -> None:
            page.goto(at(event, name))
            expect(page.locator("main .medal-1").first).to_be_visible()
            golds = page.evaluate(GOLD)
            assert (name, [order[0] in gold for gold in golds]) == (name, [True] * len(golds))
            podium = page.locator(".podium li a")
            if podium.count():
                assert (name, podium.all_inner_texts()[:3]) == (name, order[:3])
            shot(page, f"cup-13-{name}-{(page.viewport_size or PHONE)['width']}")
            check_page(page)

        for page in (host, stranger):
            has_one_gold(page, "event")
        has_one_gold(stranger, "wall")
        host.goto(at(event, "event"))
        close_night(host)
        expect(host.get_by_text(gettext("closed"), exact=True).first).to_be_visible()
        for page in (host, stranger):
            for name in ("event", "recap", "wall"):
                has_one_gold(page, name)
            page.goto(at(event, "event_share"))
            page.locator("details:has(.share-text) > summary").click()
            lines = page.locator(".share-text").inner_text().splitlines()
            [first] = [line for line in lines if line.startswith("1.")]
            assert order[0] in first
            page.goto(path_of(event.season, "season"))
            rows = page.locator("table.standings tbody tr:has(td)")
            places = {
                row.locator("th a").first.inner_text(): row.locator(".last-places i").inner_text()
                for row in rows.all()
            }
            assert [places[name] for name in order] == ["1", "2", "3", "4"]
            others = {place for name, place in places.items() if name not in order}
            assert not others & {"1", "2", "3", "4"}


def test_a_night_of_sixteen_with_the_same_cards_leads_to_them(browser, live_server):
    event = make_night(
        16,
        rules="tien-len",
        format={"same_deals": True},
        rounds_planned=1,
        games_per_round=1,
    )
    owner = owner_of(event)
    sorter = make_member(event.season.club, "organiser")
    with (
        translation.override("vi"),
        open_page(browser, live_server.url, language="vi-VN") as cards,
        open_page(browser, live_server.url, language="vi-VN") as host,
    ):
        sign_in(cards, sorter)
        cards.goto(at(event, "event"))
        expect(
            cards.get_by_text(gettext("An organiser who doesn't play sorts the cards."))
        ).to_be_visible()
        next_step(cards, gettext("Cards to sort"))
        button(cards, gettext("Show the cards")).click()
        expect(cards.locator(".deal-sheet")).to_have_count(1)
        expect(cards.locator(".deal-sheet article")).to_have_count(4)
        seen(cards, "same-cards-sheets-360")
        sign_in(host, owner)
        host.goto(at(event, "event"))
        next_step(host, gettext("Draw round %(number)s") % {"number": 1})
        release(host, 1)
        firsts = []
        for sitting in event.rounds.get().sittings.order_by("table_no"):
            names = names_at(sitting)
            turned = names[sitting.table_no % 4 :] + names[: sitting.table_no % 4]
            firsts.append(turned[0])
            host.goto(at(event, "table", 1, sitting.table_no))
            for place in sitting.seated:
                hand = str(HAND_NAMES[hand_of(place.seat, 1)])
                expect(host.locator("main")).to_contain_text(f"{place.entrant.player.name} {hand}")
            enter(host, turned)
            done = gettext("All games of this round are entered.")
            expect(host.locator("[data-now]").get_by_text(done)).to_be_visible()
        seen(host, "same-cards-table-360")
        close_after(host, event)
        for width in (360, 1440):
            host.set_viewport_size({"width": width, "height": 900})
            host.goto(at(event, "event"))
            # Each hand was held at four tables and was first, second, third and last once.
            assert sorted(host.locator(".podium li a").all_inner_texts())[:4] == sorted(firsts)
            expect(host.locator(".podium")).to_contain_text("100%")
            assert host.evaluate(TALL) == []
            seen(host, f"same-cards-closed-{width}")


def close_after(page: Page, event) -> None:
    page.goto(at(event, "event"))
    close_night(page)
    expect(page.get_by_text(gettext("closed"), exact=True).first).to_be_visible()


@pytest.mark.parametrize("language", ["vi", pytest.param("en", marks=pytest.mark.long)])
def test_a_stake_rises_in_the_middle_of_a_night(browser, live_server, language):
    season = make_season(rules="mien-nam")
    season.club.unit = "đ"
    season.club.save()
    sitting = make_table(make_night(season=season, stake=50_000, games_per_round=3))
    event = sitting.round.event
    order = names_at(sitting)
    locale = {"vi": "vi-VN", "en": "en-GB"}[language]
    with (
        translation.override(language),
        open_page(browser, live_server.url, language=locale) as host,
        open_page(browser, live_server.url, language=locale) as phone,
    ):
        table = table_link(sitting, 1)
        played = phone.locator("[data-played] tbody tr")
        phone.goto(table)
        button(phone, order[0]).last.click()
        expect(phone.locator("h1")).to_contain_text(order[0])
        phone.goto(table)
        for game in (1, 2):
            enter(phone, order)
            expect(played).to_have_count(game)
        sign_in(host, owner_of(season))
        host.goto(at(event, "event_settings"))
        host.locator(".chip:has(#id_stake) summary").click()
        host.locator("#id_stake").fill("100000")
        expect(host.locator("[name=stake_from][value=game]")).to_be_checked()
        shot(host, f"stake-rises-settings-360-{language}")
        button(host, gettext("Done")).click()
        button(host, gettext("Save")).click()
        expect(host.get_by_text(gettext("Saved."))).to_be_visible()
        phone.goto(table)
        enter(phone, order)
        expect(played).to_have_count(3)
        stakes = [one.played_for for one in Result.objects.order_by("game_no")]
        assert stakes == [50_000, 50_000, 100_000]
        # The first of four has two stakes a game, the second one, as the rules have it.
        phone.goto(reverse("league:my_night", args=[event.pk]))
        expect(phone.locator("main")).to_contain_text("+400k")
        assert phone.evaluate(BROKEN) == []
        seen(phone, f"stake-rises-my-night-360-{language}")
        close_after(host, event)
        for width in (360, 1440):
            host.set_viewport_size({"width": width, "height": 900})
            host.goto(at(event, "event"))
            seen(host, f"stake-rises-closed-{width}-{language}")
        host.goto(at(event, "event_share"))
        expect(host.locator(".share-text")).to_contain_text(
            "400.000" if language == "vi" else "400,000"
        )
    assert list(verify.everything(season.club)) == []
