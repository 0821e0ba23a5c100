"""A night played online: a released round seats two people and bots; what they play counts."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.rules import ruleset
from league.base.acts import links
from league.models import Event, Result
from league.nights.acts import seat_changes
from league.online.acts import results_in
from tables.base import rulesets
from tables.chairs.acts import rotation
from tables.models import Table
from tests.browser.conftest import PHONE, check_page, says_who, seen, shot, sign_in
from tests.browser.people import LAPTOP, LOOK, all_take_a_turn, open_panel, take_turn
from tests.factories import make_season, owner_of, path_of
from tests.league.nights.waitlist_helpers import around
from tests.league.online.helpers import make_online_night, online, release
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.always
def test_two_browsers_and_two_bots_play_a_round_and_the_season_has_it(people):
    season = make_season(rules="killa")
    event = make_online_night(2, season=season, stake=5, games_per_round=1)
    by = owner_of(season)
    for _ in range(2):
        results_in.add_bot(event=event, bot="greedy", by=by)
    link = links.renew_for_night(event=event, by=by)
    door = reverse("league:link_night", args=[link.secret])
    pages = []
    for name, size in (("An", PHONE), ("Bình", LAPTOP)):
        event.entrants.filter(player__name=name).update(presence="expected")
        page = people.page(size=size)
        page.goto(door)
        says_who(page, name)
        pages.append(page)
    release(event)
    for name, page in zip(("An", "Bình"), pages, strict=True):
        page.reload()
        seen(page, f"online-door-{name}")
        page.get_by_role("link", name="Go to your table").click()
        expect(page.locator("#own")).to_contain_text("Tap “I'm ready”")
    check_page(pages[0])
    shot(pages[0], "online-waiting-360")
    first, second = (page.get_by_role("button", name="I'm ready") for page in pages)
    box = first.bounding_box()
    pages[0].mouse.move(box["x"] + 9, box["y"] + 9)
    pages[0].mouse.down()
    second.click()  # The news of it comes while the first finger is down.
    expect(second).to_be_hidden()
    pages[0].wait_for_timeout(300)
    pages[0].mouse.up()
    all_take_a_turn(pages)
    live.play_quickly(Table.objects.get(pk=online(event).table_id))
    expect(pages[0].locator("#board-public")).to_have_attribute("data-status", "closed")
    shot(pages[0], "online-over-360")
    shot(pages[1], "online-over-1440")
    results_in.take_games(table_id=online(event).table_id)
    pages[0].get_by_role("link", name="Go to the results").click()
    expect(pages[0].locator(".finish")).to_have_count(1)
    pages[0].goto(path_of(season, "season"))
    expect(pages[0].locator("table").first).to_contain_text("An")
    check_page(pages[0])
    assert Result.objects.get().source == "live"
    assert sum(Result.objects.get().transfers.values_list("amount", flat=True)) >= 5


@pytest.mark.long  # The waitlist's service tests find the same but for what a phone draws.
def test_the_loser_gets_up_and_who_waits_finds_his_chair_where_he_watches(people, monkeypatch):
    """One person and three bots play, another one waits; both see two games on their phones."""
    monkeypatch.setattr(rotation, "COME", timedelta(minutes=10))  # A busy machine is slow.
    event = make_online_night(1, stake=5, format={"kind": "loser_leaves"}, played="")
    short = ruleset.with_options(ruleset.preset("killa"), {"cards_each": {"4": 5}})
    Event.objects.filter(pk=event.pk).update(ruleset=rulesets.freeze(short))
    by = owner_of(event)
    results_in.set_plan(event=event, by=by, played="live", move_seconds=40, abandoned="count")
    for _ in range(3):
        results_in.add_bot(event=event, bot="greedy", by=by)
    door = links.renew_for_night(event=event, by=by)
    door = reverse("league:link_night", args=[door.secret])
    event.season.club.players.create(name="Bình", sort_key="binh")
    an, binh = people.page(), people.page()
    for name, page in (("An", an), ("Bình", binh)):
        event.entrants.filter(player__name=name).update(presence="expected")
        page.goto(door)
        says_who(page, name)
        if name == "An":
            release(Event.objects.get(pk=event.pk))
    an.reload()
    an.get_by_role("link", name="Go to your table").click()
    expect(binh.get_by_text("number 1 in the queue")).to_be_visible()
    seen(binh, "queue-online-waits")
    binh.get_by_role("link", name="Watch table 1").click()
    expect(binh.locator("#own")).to_contain_text("your seat appears here automatically")
    an.get_by_role("button", name="I'm ready").click()
    play_until_over(an, binh)
    shot(an, "queue-online-held")
    shot(binh, "queue-online-watches")
    assert results_in.sweep() == 1
    expect(binh.locator("#own")).to_contain_text("You have a seat. Tap “I'm ready”")
    expect(an.locator("#board-public")).to_contain_text("Waiting for Bình before the next game")
    for page in (an, binh):
        check_page(page)
    shot(an, "queue-online-waits-for-him")
    shot(binh, "queue-online-sits-down")
    binh.get_by_role("button", name="I'm ready").click()
    play_until_over(an, binh)
    assert results_in.sweep() == 1
    games = Result.objects.order_by("game_no")
    here = [{p.entrant.player.name for p in game.placings.all()} for game in games]
    assert ["Bình" in names for names in here] == [False, True]
    assert [game.source for game in games] == ["live", "live"]
    binh.goto(door)
    expect(binh.get_by_text("to your table").or_(binh.get_by_text("in the queue"))).to_be_visible()


def test_on_an_open_night_who_waits_sits_down_at_a_live_table_with_one_tap(people):
    event = make_online_night(3, stake=5, format={"kind": "open", "tables": 2})
    one, _two = release(event).sittings.all()
    by = owner_of(event)
    keys = [entrant.pk for entrant in event.entrants.filter(presence="here")]
    seat_changes.seat_table(event=event, entrants=keys, by=by)
    event.season.club.players.create(name="Zoe", sort_key="zoe")
    door = links.renew_for_night(event=event, by=by)
    zoe = people.page()
    zoe.goto(reverse("league:link_night", args=[door.secret]))
    says_who(zoe, "Zoe")
    expect(zoe.get_by_role("button", name="Sit down at table 1")).to_be_visible()
    seen(zoe, "open-online-waits")
    for size, name in ((PHONE, "360"), (LAPTOP, "1440")):
        page = people.page(size=size)
        sign_in(page, by)
        page.goto(path_of(event, "online"))
        expect(page.get_by_text("Waiting: Zoe")).to_be_visible()
        seen(page, f"open-online-organiser-{name}")
    zoe.get_by_role("button", name="Sit down at table 1").click()
    zoe.get_by_role("link", name="Go to your table").click()
    expect(zoe.locator("#own")).to_contain_text("Tap “I'm ready”")
    seen(zoe, "open-online-sits")
    open_panel(zoe)
    zoe.get_by_role("button", name="Leave for tonight").click()
    expect(zoe.locator("#own")).to_contain_text("You are watching.")
    assert "Zoe" not in around(one)


def play_until_over(*pages: Page) -> None:
    """Plays the turns of these pages until the game that is on is over for all of them."""
    expect(pages[0].locator("#board-public")).to_have_attribute("data-status", "playing")
    for _ in range(400):
        if pages[0].locator("#board-public").get_attribute("data-status") != "playing":
            break
        if not any(take_turn(page) for page in pages):
            pages[0].wait_for_timeout(LOOK)
    for page in pages:
        expect(page.locator(".result-winner")).to_be_visible()


def test_the_organiser_follows_the_tables_on_a_phone_and_a_laptop(people):
    season = make_season(rules="killa")
    event = make_online_night(11, season=season, stake=5)
    by = owner_of(season)
    results_in.add_bot(event=event, bot="planner", by=by)
    release(event)
    for size, name in ((PHONE, "360"), (LAPTOP, "1440")):
        page = people.page(size=size)
        sign_in(page, by)
        page.goto(path_of(season.club, "online", event.pk))
        expect(page.get_by_text(re.compile(r"\d of \d ready"))).to_have_count(3)
        page.get_by_text("Real cards or online").click()
        seen(page, f"online-organiser-{name}")
        page.goto(path_of(season.club, "event", event.pk))
        expect(page.get_by_role("link", name="3 tables play online")).to_be_visible()
        seen(page, f"online-event-{name}")
        page.goto(path_of(season.club, "table", event.pk, 1, 1))
        seen(page, f"online-table-{name}")
