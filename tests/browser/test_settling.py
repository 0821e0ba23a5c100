"""On a small phone in Vietnamese: a night for a stake settled by taps, and the tiles first."""

import itertools

import pytest
from playwright.sync_api import Browser, expect

from engine.rules import ruleset
from league.models import Posting, Result
from league.money.facts import open_debts
from league.seasons.pages import player_page
from tests.browser.conftest import check_page, open_page, seen, shot, sign_in, tile
from tests.factories import (
    make_night,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
)
from tests.league.nights.waitlist_helpers import open_floor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_night_for_a_stake_is_settled_by_taps(browser: Browser, live_server):
    sitting = make_table(make_night(rules="mien-nam", stake=10_000, games_per_round=2))
    event = sitting.round.event
    club = event.season.club
    names = names_at(sitting)
    with open_page(browser, live_server.url, language="vi-VN") as page:
        sign_in(page, owner_of(club))
        page.goto(path_of(event, "table", 1, 1))
        for game, order in enumerate((names, [names[2], names[0], names[1], names[3]]), start=1):
            for name in order[:3]:
                tile(page, name).click()
            page.get_by_role("button", name="Lưu ván").click()
            expect(page.locator("[data-played] tbody tr")).to_have_count(game)
        assert Result.objects.count() == 2
        put_to_yesterday(event.season)
        page.goto(path_of(event, "event_money"))
        seen(page, "settling-360-vi")
        debts = page.locator(".payments > li")
        open_at_first = debts.count()
        assert open_at_first == len(open_debts.of_night(event)) > 1
        for paid in itertools.count(1):
            button = debts.first.get_by_role("button")
            box = button.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 360
            assert box["height"] >= 24
            button.click()
            expect(page.locator("#messages")).to_contain_text("đã trả")
            if paid == open_at_first:
                break
            expect(debts).to_have_count(open_at_first - paid)
            expect(page.locator("#money.htmx-settling")).to_have_count(0)
        expect(page.get_by_text("Không ai nợ ai.")).to_be_visible()
        seen(page, "settled-360-vi")
        assert not open_debts.of_night(event)
        assert not open_debts.of_season(event.season)
        page.goto(path_of(event.season, "season_money"))
        expect(page.get_by_text("Không ai nợ ai.")).to_be_visible()
        check_page(page)
        for player in club.players.all():
            assert open_debts.of_person(player_page.keys_of(player), event.season) == 0
            page.goto(path_of(club, "player", player.pk))
            expect(page.get_by_text("tiền còn lại")).to_have_count(0)


def test_undo_in_place_opens_the_debt_again(browser: Browser, live_server):
    sitting = make_table(make_night(rules="killa", stake=10))
    event = sitting.round.event

    play(sitting)
    put_to_yesterday(event.season)
    club = event.season.club
    with open_page(browser, live_server.url, language="vi-VN") as page:
        sign_in(page, owner_of(club))
        page.goto(path_of(event, "event_money"))
        page.locator(".payments > li").first.get_by_role("button").dblclick()
        expect(page.get_by_text("Không ai nợ ai.")).to_be_visible()
        assert Posting.objects.count() == 1
        page.locator("#messages").get_by_role("button", name="Hoàn tác").click()
        expect(page.locator(".payments > li")).to_have_count(1)


@pytest.mark.parametrize("many", [True, False], ids=["many wait", "eight cut for the deal"])
def test_the_tiles_stand_above_the_fold(browser: Browser, live_server, many: bool):
    if many:
        event = make_night(21, format={"kind": "loser_leaves"})
        open_floor(event)
    else:
        rules = ruleset.preset("thirteen")
        rules = ruleset.with_options(rules, {"name": "Luật nhà", "first_dealer": "highest_cut"})
        night = make_night(8, rules=rules, format={"one_table": 8})
        event = make_table(night).round.event
    club = event.season.club
    with open_page(browser, live_server.url, language="vi-VN") as page:
        sign_in(page, owner_of(club))
        page.goto(path_of(event, "table", 1, 1))
        boxes = [tile.bounding_box() for tile in page.locator("[data-tap]").all()]
        shot(page, f"tiles-360-vi-{many}")
        save = page.locator(".dock:has([data-save])").bounding_box()
        assert save is not None
        assert len(boxes) == (4 if many else 8)
        assert all(box and box["y"] + box["height"] <= save["y"] for box in boxes), (boxes, save)
        check_page(page)
        page.get_by_text("Việc khác ở bàn này").click()
        page.locator("#any-phone > summary").click()
        page.locator("[action$='/link/'] button").click()
        expect(page.locator("#messages .message")).to_be_visible()
        moved = [tile.bounding_box() for tile in page.locator("[data-tap]").all()]
        shot(page, f"tiles-message-360-vi-{many}")
        assert moved == boxes  # A message lies above the page and pushes nothing.
        check_page(page)
