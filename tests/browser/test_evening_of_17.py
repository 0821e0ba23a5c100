"""An evening of 17 phones and one link, without an account: lived by hand from the names on.

One phone is out of reach for a while, somebody comes late, a debt is paid by a QR code, and the
club is kept by an email.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Browser, Page, expect

from league.models import Club, Event, Player, Result, Sitting
from league.money.domain import vietqr
from league.money.facts import open_debts
from league.proof.facts import verify
from tables.web.addresses import qr_of
from tests.browser.conftest import check_page, open_page, says_who, shot
from tests.browser.evenings import button, close_night
from tests.factories import names_at, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CHAT = """Danh sách tối nay:
1/ Cô Ba
2/ Khánh
3/ Bác Sáu
4. Thảo
5. Chị Hoa
@Tý
@Long
- Út Lan
- Dũng
Hải “Heo”, Phượng, Chú Năm
Anh Tuấn; Minh Béo
Dung
Vinh
Ngọc"""
GAMES, LATE = 2, "Chú Tám"
MB_BANK, NUMBER = "970422", "9704229999001122"
EMAIL, PASSWORD = "ba@club.example", "nhà mình đánh bài"


@dataclass
class Evening:
    """The phone that began it, those of the players by name, and the way to more of them.

    Those in a pocket have answered for their people and show nothing yet.
    """

    stack: ExitStack
    browser: Browser
    address: str
    link: str = ""
    phones: dict[str, Page] = field(default_factory=dict)
    pockets: dict[str, Client] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.host = self.opened()

    def opened(self) -> Page:
        page = open_page(self.browser, self.address, language="vi-VN")
        return self.stack.enter_context(page)

    @property
    def event(self) -> Event:
        return Event.objects.get()

    def at(self, name: str) -> str:
        return reverse(f"league:{name}", args=[Club.objects.get().slug, self.event.pk])

    def claims(self, name: str) -> Page:
        """Open the link on a phone of its own and say whose it is."""
        phone = self.phones[name] = self.opened()
        phone.goto(self.link)
        says_who(phone, name)
        expect(phone.locator("h1")).to_contain_text(name)
        return phone

    def claims_unseen(self, name: str) -> None:
        """The same tap, on a phone that goes back into its pocket."""
        pocket = self.pockets[name] = Client()
        me = {"me": Player.objects.get(name=name).pk}
        with translation.override("vi"):  # A request leaves its own language on.
            answer = pocket.post(self.link, me, follow=True)
        assert name in answer.content.decode().split("<h1")[1].split("</h1>")[0]

    def phone(self, name: str) -> Page:
        """Somebody's phone, taken out of its pocket."""
        if name not in self.phones:
            page = self.phones[name] = self.opened()
            place = {"domain": "localhost", "path": "/"}
            kept = self.pockets[name].cookies.values()
            page.context.add_cookies([place | {"name": c.key, "value": c.value} for c in kept])
        return self.phones[name]

    def draw(self, number: int) -> list[Sitting]:
        self.host.goto(self.at("event"))
        button(self.host, gettext("Draw round %(number)s") % {"number": number}).click()
        button(self.host, gettext("Release")).click()
        told = gettext("Round %(round)s released.") % {"round": number}
        expect(self.host.locator("#messages").get_by_text(told)).to_be_visible()
        return self.tables()

    def tables(self) -> list[Sitting]:
        return list(self.event.rounds.latest("number").sittings.order_by("table_no"))

    def plays(self, sitting: Sitting, *, offline: bool = False) -> None:
        """All games of a table, entered on the phone of who sits there first, who wins them."""
        names = names_at(sitting)
        phone = self.phone(names[0])
        phone.goto(self.link)
        phone.locator(".my-seats-card .btn").click()
        expect(phone.locator("[data-tap]")).to_have_count(len(names))
        phone.context.set_offline(offline)
        for game in range(1, GAMES + 1):
            for name in names[:-1]:
                tile = phone.locator("[data-tap]")
                tile.filter(has=phone.get_by_text(name, exact=True)).click()
            button(phone, gettext("Save the game")).click()
            kept = phone.locator(".queue li" if offline else "[data-played] tbody tr")
            expect(kept).to_have_count(game)
        if offline:
            check_page(phone)
            assert sitting.results.count() == 0
            phone.context.set_offline(False)
            expect(phone.locator("[data-played] tbody tr")).to_have_count(GAMES)
        assert sitting.results.count() == GAMES


@pytest.fixture
def evening(browser: Browser, live_server) -> Iterator[Evening]:
    with ExitStack() as stack, translation.override("vi"):
        yield Evening(stack, browser, live_server.url)


@pytest.mark.always
def test_an_evening_of_17_from_a_pasted_chat_to_a_kept_club(evening: Evening):
    names_become_tables_and_one_link(evening)
    names = list(Player.objects.order_by("pk").values_list("name", flat=True))
    evening.claims(names[0])
    for name in names[1:]:
        evening.claims_unseen(name)
    evening.host.reload()
    expect(evening.host.get_by_text("17 / 17")).to_be_visible()
    first, second, *others = evening.tables()
    evening.plays(first, offline=True)
    evening.plays(second)
    are_played(others)
    assert Result.objects.count() == 5 * GAMES
    somebody_comes_late(evening)
    first, *others = evening.draw(2)
    evening.plays(first)
    are_played(others)
    the_night_is_closed(evening)
    a_debt_is_paid_by_a_code(evening)
    the_club_is_kept_by_an_email(evening, [*names, LATE])


def are_played(sittings: list[Sitting]) -> None:
    """All games of these tables; who sits there first wins them."""
    for sitting in sittings:
        for _game in range(GAMES):
            play(sitting, names_at(sitting))


def names_become_tables_and_one_link(evening: Evening) -> None:
    """A line of the chat that is no name is asked about; nothing is saved before the start."""
    host = evening.host
    host.goto(reverse("league:tonight"))
    host.locator("#new-name").fill(CHAT)
    expect(host.locator(".names-box li")).to_have_count(17)
    expect(host.get_by_role("checkbox", name="Danh sách tối nay:")).not_to_be_checked()
    host.locator(".recipe summary").click()
    sentence = host.locator(".recipe summary")
    for name, typed, read in (("games", str(GAMES), str(GAMES)), ("stake", "10k", "10.000 đ")):
        host.locator(f"#id_{name}").fill(typed)
        host.locator(f"#id_{name}").press("Tab")
        expect(sentence).to_contain_text(read)
    host.locator("[data-draw]").click()
    expect(host.locator(".oval")).to_have_count(5)
    assert not Club.objects.exists()
    button(host, gettext("Let's play")).click()
    link = host.locator(".code-address b").inner_text()
    evening.link = urlsplit(f"//{link}").path
    check_page(host)


def somebody_comes_late(evening: Evening) -> None:
    """Added by name at the door; the phone finds the name by the same link and waits."""
    host = evening.host
    host.goto(evening.at("check_in"))
    host.get_by_label(gettext("Name")).last.fill(LATE)
    button(host, gettext("Add and check in")).click()
    expect(host.get_by_text(gettext("%(name)s is here.") % {"name": LATE})).to_be_visible()
    expect(evening.claims(LATE).locator("#table")).to_have_count(0)


def the_night_is_closed(evening: Evening) -> None:
    """A late phone tells its result by the link that it had all evening."""
    evening.host.goto(evening.at("event"))
    close_night(evening.host)
    expect(evening.host.locator(".podium").first).to_be_visible()
    late = evening.phones[LATE].context.new_page()  # Beside the one that reloads by itself.
    late.goto(evening.link)
    expect(late.get_by_role("heading", name=gettext("Result"))).to_be_visible()
    check_page(late)
    assert list(verify.everything(Club.objects.get())) == []


def a_debt_is_paid_by_a_code(evening: Evening) -> None:
    """The winner's account, left on the winner's phone, is a code on the phone of who owes."""
    debts = open_debts.of_night(evening.event)
    owing = Counter(debt.payer for debt in debts)
    debt = max(debts, key=lambda debt: owing[debt.payer])
    payer, payee = str(debt.payer), str(debt.payee)
    winner, loser, host = evening.phone(payee), evening.phone(payer), evening.host
    winner.goto(evening.link)
    winner.locator("#my-more > summary").click()
    winner.get_by_role("link", name=gettext("How I am paid")).click()
    winner.locator("#id_bank").select_option(MB_BANK)
    winner.locator("#id_number").fill(NUMBER)
    check_page(winner)
    with winner.expect_navigation():
        winner.locator("main form button.btn-primary").click()
    loser.goto(evening.link)
    owed = loser.locator(".own-payment").filter(has_text=payee)
    code = owed.locator("svg.qr path").last.get_attribute("d")
    names = evening.event.entrants.values_list("player__name", flat=True)  # Dung and Dũng.
    words = vietqr.memo(payer, day=evening.event.date, names=names)
    text = vietqr.code(bank=MB_BANK, number=NUMBER, amount=debt.amount, words=words)
    assert code
    assert f'd="{code}"' in qr_of(text)
    check_page(loser)
    shot(loser, "evening-debt-360-vi")
    host.goto(evening.at("event_money"))
    row = host.locator(".payments > li").filter(has_text=payer).filter(has_text=payee)
    row.get_by_role("button").first.click()
    expect(host.locator("#messages")).to_contain_text(gettext("paid"))
    loser.goto(evening.link)
    expect(owed).to_have_count(0)


def the_club_is_kept_by_an_email(evening: Evening, names: list[str]) -> None:
    """Signed in on another device the club and its season are there, with all names."""
    host, club = evening.host, Club.objects.get()
    host.goto(reverse("league:club", args=[club.slug]))
    host.get_by_role("link", name=gettext("Keep it")).click()
    host.locator("#keep-email").fill(EMAIL)
    button(host, gettext("Keep")).click()
    host.locator("[name=password1]").fill(PASSWORD)
    host.locator("main form button[type=submit], main form .btn-primary").first.click()
    expect(host.locator("[name=password1]")).to_have_count(0)
    club.refresh_from_db()
    assert (club.held_until, club.memberships.get().user.email) == (None, EMAIL)
    elsewhere = evening.opened()
    elsewhere.goto("/accounts/login/")
    elsewhere.locator("[name=login]").fill(EMAIL)
    elsewhere.locator("[name=password]").fill(PASSWORD)
    elsewhere.locator("main form .btn-primary").first.click()
    expect(elsewhere.get_by_text(club.name).first).to_be_visible()
    elsewhere.goto(reverse("league:season", args=[club.slug, evening.event.season_id]))
    told = elsewhere.content()
    assert [name for name in names if name not in told] == []
    check_page(elsewhere)
