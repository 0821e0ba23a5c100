"""Four friends, one link: from opening the table to the second game, nobody being told anything."""

import datetime
import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

from tables.live import stream
from tables.models import Table
from tables.play.facts import absent, positions
from tests.browser.conftest import PHONE, check_page, seen, shot
from tests.browser.people import LOOK, at, open_panel, open_settings, take_turn
from tests.tables import live
from tests.tables.live import HANDS

LIT = re.compile(r"\blit\b")
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_for_friends(page: Page) -> Table:
    page.goto("/tables/")
    page.locator("summary").get_by_text("Open a table").click()
    page.get_by_label("Rules").select_option("penguin")
    page.get_by_label("Other seats").select_option(label="Friends with the link")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#own .qr")).to_be_visible()
    return Table.objects.get()


def sit_down(page: Page, table: Table, no: int, name: str = "") -> None:
    page.goto(at(table))
    page.get_by_label("Your name").fill(name or f"Friend {no}")
    page.get_by_role("button", name="Sit down", exact=True).click()
    expect(page.locator("#own")).to_have_attribute("data-seat", str(no))


def playing(page: Page) -> bool:
    return page.locator("#board-public").get_attribute("data-status") == "playing"


@pytest.mark.long
def test_four_friends_play_an_evening(people):
    pages = [people.page(size=PHONE) for _ in range(5)]
    *friends, fifth = pages
    table = open_for_friends(friends[0])
    check_page(friends[0])
    shot(friends[0], "friends-wait-360")
    for no, page in enumerate(friends[1:], start=1):
        sit_down(page, table, no)
    expect(friends[1].get_by_role("button", name="Add bots")).to_have_count(0)
    fifth.goto(at(table))
    expect(fifth.locator("#own")).to_contain_text("Every seat is taken")
    expect(friends[0].locator(".countdown")).to_contain_text("Cards are dealt in a moment")
    shot(friends[1], "friends-full-360")
    for page in friends:
        expect(page.locator("#own [name=cards]")).to_have_count(13)
    expect(friends[0].locator(".seat .ring b")).not_to_be_empty()
    shot(fifth, "friends-fifth-360")
    for _ in range(200):
        if not playing(friends[0]):
            break
        if not any(take_turn(page) for page in friends):
            friends[0].wait_for_timeout(LOOK)
    for page in pages:
        expect(page.locator(".result-winner")).to_be_visible()
    shot(friends[2], "friends-over-360")
    check_page(friends[2])
    for page in friends[:3]:
        page.get_by_role("button", name="Next game").click()
        expect(page.locator("#own")).to_contain_text("You are ready.")
    assert live.current(table).no == 1
    expect(fifth.locator(".result-places .rd")).to_have_count(3)
    friends[3].get_by_role("button", name="Next game").click()
    for page in friends:
        expect(page.locator("#own [name=cards]")).to_have_count(13)
    assert live.current(table).no == 2


def test_what_was_chosen_outlasts_a_reload_and_play_is_lit_for_a_legal_play(people):
    table = live.dealt("penguin", people=4, hands=HANDS)
    page = people.page(table, 0)
    play = page.locator("#own [value=play]")
    expect(play).not_to_have_class(LIT)
    page.locator("#own label:has([value='4S'])").click()
    expect(play).not_to_have_class(LIT)
    page.reload()
    expect(page.locator("#own input:checked")).to_have_value("4S")
    page.locator("#own label:has([value='4S'])").click()
    page.locator("#own label:has([value='3S'])").click()
    expect(play).to_have_class(LIT)


def test_who_wants_it_passes_by_himself_where_nothing_beats(people):
    hands = [
        "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H",
        "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2C",
        "3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2D",
        "3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH 2S",
    ]
    table = live.dealt("penguin", people=4, hands=hands)
    page, other = people.page(table, 1), people.page(table, 2)
    open_settings(page)
    page.get_by_role("button", name="Pass automatically").click()
    live.act(table, 0, "play", "3S")
    page.wait_for_timeout(3500)
    assert live.current(table).actions.count() == 1  # The 3 of clubs beats it.
    for no, card in ((1, "3C"), (2, "3D"), (3, "3H"), (0, "2H")):
        live.act(table, no, "play", card)
    expect(page.locator("[data-news]")).to_contain_text("Guest 1 passes")
    expect(other.locator("#own .hand-pick .no")).to_have_count(12)  # None of them beats it.
    other.wait_for_timeout(3500)
    assert live.current(table).actions.count() == 6  # Nobody passes for who did not want it.


def sleep(page: Page, other: Page, no: int) -> None:
    """The phone of this seat is gone, and another player sees it."""
    page.context.close()
    expect(other.locator(f".seat[data-seat='{no}']")).to_contain_text("offline")


def turn(table: Table) -> int:
    return positions.replay_of(live.current(table)).state.turn


@pytest.mark.always
def test_an_evening_of_nine_games_adds_up(people, monkeypatch):
    """One goes on with another phone, one sleeps, one leaves for a game: all sums are right.

    Games in which nobody does any of this are played before a screen is open.
    """
    monkeypatch.setattr(stream, "GRACE", 0.2)
    monkeypatch.setattr(absent, "ALONE", datetime.timedelta(0))
    table = live.open_table("mien-nam", people=4, instant_wins=[])

    def deal() -> None:
        """The next game, where the table has not dealt it by itself: this machine may be slow."""
        table.refresh_from_db()
        if table.status != Table.Status.PLAYING:
            live.deal(table)

    def play() -> None:
        deal()
        live.play_quickly(table)

    for _ in range(4):
        play()
    pages = [people.page(table, no) for no in range(3)]
    host = pages[0]
    deal()
    expect(host.locator("#own [name=cards]")).to_have_count(13)
    sleep(pages[2], host, 2)
    pages[2] = phone = people.page(table)
    phone.get_by_role("button", name="That's me, on another phone").click()
    expect(phone.locator("#own")).to_contain_text("As soon as a player agrees")
    host.get_by_role("button", name="Give the seat").click()
    expect(phone.locator("#own [name=cards]")).to_have_count(13)
    shot(phone, "evening-phone-360")
    live.play_quickly(table)
    deal()
    while turn(table) not in (1, 2):
        live.step(table, live.current(table))
    sleeper = turn(table)
    sleep(pages[sleeper], host, sleeper)
    seen(host, "evening-offline-360")
    host.get_by_role("button", name="Skip").click()
    expect(host.locator(f".seat[data-seat='{sleeper}']")).not_to_have_class(re.compile("turn"))
    pages[sleeper] = people.page(table, sleeper)
    expect(pages[sleeper].locator("#own")).to_contain_text("The network was gone")
    expect(host.locator(f".seat[data-seat='{sleeper}']")).not_to_contain_text("offline")
    live.play_quickly(table)
    deal()
    pages[2].context.close()
    open_panel(pages[1])
    pages[1].get_by_role("button", name="Leave after this game").click()
    expect(pages[1].get_by_role("button", name="Stay")).to_be_visible()
    live.play_quickly(table)
    play()
    sit_down(pages[1], table, 1, "Guest 1")
    play()

    expect(host.locator(".result-places .why").first).to_contain_text("in all")
    host.goto(f"{at(table)}evening/?worth=1000")
    games = list(table.games.filter(over_at__isnull=False).order_by("no"))
    assert len(games) == 9
    names = dict(table.seats.values_list("pk", "name"))
    sums: Counter[str] = Counter()
    for game in games:
        for holder, net in zip(game.holders, game.outcome["net"], strict=True):
            sums[names[holder]] += net
    assert sum(sums.values()) == 0
    assert len(sums) == 5  # Four friends, and the bot of one game.
    rows = host.locator("#evening tbody tr")
    expect(rows).to_have_count(5)
    for name, net in sums.items():
        row = rows.filter(has_text=name)
        expect(row.locator("td").first).to_have_text({"Guest 1": "8", "Cô Ba": "1"}.get(name, "9"))
        expect(row.locator("td").last).to_have_text(f"{net:+}".replace("-", "−") if net else "0")
    seen(host, "evening-sums-360")
