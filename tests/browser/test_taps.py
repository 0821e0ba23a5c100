"""Twelve things that people do, counted in taps on a phone, beside what they took before.

Before is 574bd93: one address for the answer, one for the door and one for the table, eleven tabs
of a club and eight of a night. Typing is not counted, and a link in the group chat is one tap.

`script/test --fast tests/browser/test_taps.py -s` prints the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect

from accounts.models import User
from league.clubs.acts import players
from league.models import Dispute, Event, Result
from league.money.acts import payment_ways
from league.money.facts import open_debts
from league.nights.acts import closing, disputes, events
from league.nights.domain.night_plans import NightPlan
from league.seasons.acts import season_cache
from league.turnout.acts import sign_ups
from tests.browser.conftest import open_page, says_who, sign_in
from tests.browser.evenings import button
from tests.factories import (
    NAMES,
    make_club,
    make_night,
    make_round,
    make_season,
    make_user,
    names_at,
    night_secret,
    owner_of,
    play,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BEFORE = {
    "start, until friends can scan": 6,
    "a late-comer": 3,
    "a wrong game corrected": 7,
    "where do I sit": 2,
    "who owes me": 5,
    "next week's night": 5,
    "print the seats": 3,
    "say that I come": 3,
    "pay a debt": 6,
    "leave for tonight": 3,
    "undo a payment": 1,
    "see the season": 4,
}
"""Counted in the templates of 574bd93 at 360 pixels, where the way to a club began with *Menu*."""


@dataclass
class Hand:
    """A phone, counted in taps."""

    page: Page
    link: str
    taps: int = 0

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.click()

    def press(self, name: str) -> None:
        self.tap(button(self.page, name).first)

    def follow(self, name: str | re.Pattern[str]) -> None:
        self.tap(self.page.get_by_role("link", name=name, exact=isinstance(name, str)).first)

    def opens_the_link(self) -> None:
        """Tap the night's link in the chat."""
        self.taps += 1
        self.page.goto(self.link)


@dataclass
class World:
    """A club with a closed night that is not paid, one that runs, and the link of the next.

    The one that runs is for no money: its games would change who owes whom, by who sits where.
    """

    browser: Browser
    address: str
    stack: ExitStack
    closed: Event
    running: Event
    following: Event
    guest: Page
    taps: dict[str, tuple[int, int]] = field(default_factory=dict)

    def opened(self, user: User | None = None) -> Page:
        page = self.stack.enter_context(open_page(self.browser, self.address))
        if user is not None:
            sign_in(page, user)
        return page

    def count(
        self, task: str, does: Callable[[Hand], None], by: Page, link: str = "", *, at: str = "/"
    ) -> None:
        """Live a task that begins on the page that its person has in hand."""
        loads: list[str] = []
        if not link:
            by.goto(at)
        by.on("load", lambda page: loads.append(page.url))
        hand = Hand(by, link)
        does(hand)
        self.taps[task] = hand.taps, len(loads)


@pytest.fixture
def world(browser: Browser, live_server) -> Iterator[World]:
    club = make_club()
    club.unit = "đ"
    club.save()
    season, by = make_season(club, rules="mien-nam"), owner_of(club)
    closed = make_night(4, season=season, stake=10_000, games_per_round=1, rounds_planned=1)
    sitting = make_round(closed).sittings.get()
    order = names_at(sitting)
    play(sitting, order)
    winner, loser = make_user("winner@club.example"), make_user("loser@club.example")
    closing.close_event(event=closed, by=by)
    debt = open_debts.of_night(closed)[0]
    for user, end in ((winner, debt.payee), (loser, debt.payer)):
        assert end.player
        players.take_player(player=end.player, user=user, shows_ways=True)
    payment_ways.leave(user=winner, bank="970422", number="9704229999001122", holder="", words="")
    running = make_night(8, season=season, games_per_round=2, rounds_planned=2)
    first = make_round(running).sittings.order_by("table_no")[0]
    play(first, names_at(first))
    disputes.open_dispute(
        sitting_id=first.pk, game_no=1, by=None, device="", kind="order", note="", player=None
    )
    following = events.create_event(
        season=season, by=by, name="Friday", date=season.club.today + timedelta(days=7),
        plan=NightPlan(stake=10_000),
    )  # fmt: skip
    sign_ups.open_list(event=following, by=by)
    season_cache.standings_of(season=season)
    with ExitStack() as stack:
        guest = stack.enter_context(open_page(browser, live_server.url))
        yield World(browser, live_server.url, stack, closed, running, following, guest)


def start(hand: Hand) -> None:
    hand.follow(re.compile("Score tonight"))
    hand.page.locator("#new-name").fill("\n".join(NAMES))
    hand.tap(hand.page.locator("[data-draw]"))
    hand.press("Let's play")
    expect(hand.page.locator(".code-screen .qr")).to_be_visible()


def late_comer(hand: Hand) -> None:
    hand.follow("Go to the night")
    hand.page.get_by_label("Name", exact=True).fill("Zoe")
    hand.press("Add and check in")
    expect(hand.page.get_by_text("Zoe is here.")).to_be_visible()


def wrong_game(hand: Hand) -> None:
    hand.follow("Disputed: table 1.")
    page = hand.page
    hand.tap(page.locator("summary").get_by_text("Correct this game"))
    first, second, *_others = names_at(Dispute.objects.get().sitting)
    for name in (first, second, first):
        hand.tap(page.locator("[data-tap]").filter(has=page.get_by_text(name, exact=True)))
    page.get_by_label("Reason").fill("typed wrong")
    hand.press("Save correction")
    expect(page.get_by_text("Game 1 corrected.")).to_be_visible()


def own_seat(hand: Hand) -> None:
    hand.opens_the_link()
    expect(hand.page.locator("#table")).to_contain_text("Table")


def owed(hand: Hand) -> None:
    expect(hand.page.get_by_text("owes you").first).to_be_visible()


def next_week(hand: Hand) -> None:
    hand.follow(re.compile("New night"))
    hand.press("Create the night")
    expect(hand.page.get_by_role("heading", name="players are here")).to_be_visible()


def on_paper(hand: Hand) -> None:
    hand.follow("Go to the night")
    hand.tap(hand.page.locator(".night-tables summary").first)
    hand.follow("Print")
    expect(hand.page.locator(".sheet, .table-card").first).to_be_visible()


def coming(hand: Hand) -> None:
    hand.opens_the_link()
    hand.press("I'm coming")
    expect(hand.page.get_by_text("is coming.").first).to_be_visible()


def pays(hand: Hand) -> None:
    hand.follow("Pay")
    expect(hand.page.locator("svg.qr")).to_be_visible()


def leaves(hand: Hand) -> None:
    hand.opens_the_link()
    hand.tap(hand.page.locator("#my-more > summary"))
    hand.press("Leave for tonight")
    expect(hand.page.get_by_text("You have left for tonight.")).to_be_visible()


def undoes(hand: Hand) -> None:
    hand.press("Undo")
    expect(hand.page.locator(".payments > li").first).to_be_visible()


def sees_the_season(hand: Hand) -> None:
    hand.follow("Club")
    hand.follow(Dispute.objects.get().sitting.round.event.season.club.name)
    hand.follow("Season")
    expect(hand.page.locator(".standings").first).to_be_visible()


def test_twelve_tasks_take_three_fifths_of_the_taps(world: World):
    owner = world.opened(owner_of(world.running.season.club))
    club, secret = world.running.season.club, night_secret(world.running)
    tonight = reverse("league:link_night", args=[secret])
    friday = reverse("league:link_night", args=[night_secret(world.following)])
    world.guest.goto(tonight)
    name = world.running.entrants.latest("pk").player.name
    says_who(world.guest, name)
    expect(world.guest.locator("h1")).to_contain_text(name)
    winner, loser = (
        world.opened(User.objects.get(email=f"{who}@club.example")) for who in ("winner", "loser")
    )
    world.count("start, until friends can scan", start, world.opened())
    world.count("a late-comer", late_comer, owner)
    world.count("a wrong game corrected", wrong_game, owner)
    assert Result.objects.filter(version=2, current=True).exists()
    world.count("where do I sit", own_seat, world.guest, tonight)
    world.count("who owes me", owed, winner)
    world.count("next week's night", next_week, owner)
    world.count("print the seats", on_paper, owner)
    world.count("say that I come", coming, world.guest, friday)
    world.count("pay a debt", pays, loser)
    world.count("leave for tonight", leaves, world.guest, tonight)
    money = reverse("league:event_money", args=[club.slug, world.closed.pk])
    owner.goto(money)
    owner.locator(".payments > li").first.get_by_role("button").first.click()
    expect(owner.locator("#messages").get_by_role("button", name="Undo")).to_be_visible()
    hand = Hand(owner, "")
    undoes(hand)
    world.taps["undo a payment"] = hand.taps, 0
    world.count("see the season", sees_the_season, owner)
    for task, (taps, pages) in world.taps.items():
        print(f"{task:32} {BEFORE[task]:3} before {taps:3} now, {pages} pages")
    now = {task: taps for task, (taps, _pages) in world.taps.items()}
    print(f"{'sum':32} {sum(BEFORE.values()):3} before {sum(now.values()):3} now")
    assert {task for task, taps in now.items() if taps > BEFORE[task]} == set()
    assert sum(now.values()) * 5 <= sum(BEFORE.values()) * 3
