"""Friends at one link: a person keeps row, face and address, and the evening's sums close."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import PaymentWay
from league.money.domain import vietqr
from league.online.pages.evening import evening_of, evening_page
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.models import Seat, Table
from tables.people.acts import forgetting
from tables.play.facts import positions
from tables.play.pages import boards
from tables.web.addresses import qr_of
from tests.factories import browser_of
from tests.tables import live
from tests.tables.live import post

pytestmark = pytest.mark.django_db
NAMES = ["An", "Bình", "Cúc", "Dũng"]


def opened(rules: str = "mien-nam", **options: Any) -> Table:
    """Four friends at a table, of the Southern money game if nothing else is said."""
    table = live.open_table(rules, people=0, **options)
    table.seats.all().delete()
    for no, name in enumerate(NAMES):
        seats.sit(table_id=table.pk, no=no, name=name)
    return table


def play(table: Table) -> None:
    live.play_game(table)


def leave(table: Table, name: str) -> None:
    seats.leave(seat_id=table.seats.get(name=name, left_at=None).pk)
    forget_all()


def shown(table: Table) -> boards.Board:
    forget_all()
    return boards.board(positions.of(positions.rows().get(pk=table.pk)))


def test_who_leaves_and_returns_keeps_row_and_face_and_a_bot_has_one_row():
    table = opened()
    face = shown(table).plates[2].face
    for returns in (False, True, False, True):
        play(table)
        if returns:
            seats.sit(table_id=table.pk, no=2, name="Cúc")
        else:
            leave(table, "Cúc")
    play(table)
    board = shown(table)
    assert board.plates[2].face == face
    rows = {row.name: row for row, _face in board.scores}
    assert sorted(rows) == sorted([*NAMES, "Chú Tư"]) or sorted(rows) == sorted(
        [*NAMES, "Bác Sáu", "Chú Tư"]
    )
    assert sum(row.net for row in rows.values()) == 0
    assert rows["Cúc"].games + rows["Chú Tư"].games == rows["An"].games == 5
    assert board.plates[2].sum == rows["Cúc"].net


def test_who_returns_to_another_chair_has_one_row_and_his_sum_on_every_page_at_once():
    table = opened()
    play(table)
    leave(table, "Cúc")
    leave(table, "Dũng")
    play(table)
    before = {row.name: row for row, _face in shown(table).scores}
    guest = Client()
    post(guest, table, "sit", script=False, no=3, name=" cúc ")
    assert shown(table).plates[3].sum == before["Cúc"].net
    assert shown(table).plates[2].sum == before["Chú Tư"].net
    play(table)
    sums = Counter(dict.fromkeys([*NAMES, "Chú Tư", "Ông Năm"], 0))
    names = dict(table.seats.values_list("pk", "name"))
    for holders, outcome in table.games.filter(over_at__isnull=False).values_list(
        "holders", "outcome"
    ):
        for holder, net in zip(holders, outcome["net"], strict=True):
            sums[names[holder].capitalize()] += net
    forget_all()
    page = evening_page(table, worth=0, reader=None)
    for rows in (page.rows, shown(table).scores):
        assert sorted(row.name for row, _face in rows).count("Cúc") == 1
        assert {row.name: row.net for row, _face in rows if row.name in NAMES} == {
            name: sums[name] for name in NAMES
        }
        assert sum(row.net for row, _face in rows) == 0
    assert {row.name: row.games for row, _face in page.rows if row.name in NAMES} == {
        "An": 3,
        "Bình": 3,
        "Cúc": 2,
        "Dũng": 1,
    }
    owed = Counter()
    for paid in page.payments:
        owed[paid.payer] -= paid.amount
        owed[paid.payee] += paid.amount
    assert sum(owed.values()) == 0
    for browser in (guest, Client()):
        seen = browser.get(reverse("tables:table", args=[table.key])).content.decode()
        score = seen.split('class="led"')[1].split("</ol>")[0]
        assert score.count("<li>") == 6 == len(page.rows)
        assert score.lower().count("cúc") == 1


def test_the_address_and_the_faces_of_friends_are_the_same_next_week():
    table = opened()
    play(table)
    faces = {row.name: face for row, face in shown(table).scores}
    browser = Client()
    page = reverse("tables:table", args=[table.key])
    for name in NAMES:
        leave(table, name)
    again = seats.open_again(table_id=table.pk)
    assert browser.get(page).url == reverse("tables:table", args=[again.key])
    for name in reversed(NAMES):
        seats.sit(table_id=again.pk, no=NAMES.index(name), name=name)
    assert {plate.name: plate.face for plate in shown(again).plates} == faces
    html = browser.get(browser.get(page).url).content.decode()
    assert f'data-copy="http://testserver{page}"' in html  # The link to send is the first one.
    for name in NAMES:
        leave(again, name)
    third = seats.open_again(table_id=table.pk)
    assert third not in (table, again)
    assert third == seats.open_again(table_id=table.pk)
    assert browser.get(page).url == reverse("tables:table", args=[third.key])


def test_an_evening_goes_over_tables_without_a_long_pause():
    tables = [opened()]
    for _ in range(2):
        for name in NAMES:
            if tables[-1].seats.filter(name=name, left_at=None).exists():
                leave(tables[-1], name)
        Table.objects.filter(pk=tables[-1].pk, closed_at=None).update(
            status="closed", closed_at=timezone.now(), due_at=None
        )
        tables.append(seats.open_again(table_id=tables[-1].pk))
    assert evening_of(tables[0]) == evening_of(tables[2]) == tables
    before = timezone.now() - datetime.timedelta(days=7)
    Table.objects.filter(pk=tables[0].pk).update(closed_at=before)
    fresh = [positions.rows().get(pk=one.pk) for one in tables]
    assert evening_of(fresh[2]) == evening_of(fresh[1]) == tables[1:]
    assert evening_of(fresh[0]) == tables[:1]


def test_an_evening_opens_after_a_guest_of_its_first_table_was_forgotten(
    django_capture_on_commit_callbacks,
):
    table = opened()
    play(table)
    for name in NAMES:
        leave(table, name)
    again = seats.open_again(table_id=table.pk)
    page = reverse("evening", args=[again.key])
    with django_capture_on_commit_callbacks(execute=True):  # The process keeps what it read.
        assert "Cúc" in Client().get(page).content.decode()
    forgetting.forget_seats(found=Seat.objects.filter(name="Cúc"))
    assert "Cúc" not in Client().get(page).content.decode()


def test_guests_whose_names_were_removed_stay_apart_with_their_own_sums():
    table = opened(instant_wins=[])
    play(table)
    before = sorted(row.net for row in shown(table).standings)
    forgetting.forget_seats(found=Seat.objects.filter(table=table))
    assert [row.name for row in shown(table).standings] == ["—"] * 4
    assert sorted(row.net for row in shown(table).standings) == before


def test_what_bots_won_or_lost_is_not_paid_and_the_rest_closes():
    table = opened()
    play(table)
    leave(table, "Cúc")
    for _ in range(4):
        play(table)
    page = evening_page(positions.rows().get(pk=table.pk), worth=1000, reader=None)
    assert page.with_bots
    assert page.people == [row.name for row, _face in page.rows if row.name in NAMES]
    assert sum(row.net for row, _face in page.rows) == 0
    assert {name for one in page.payments for name in (one.payer, one.payee)} <= set(NAMES)
    assert all(one.amount > 0 and one.amount % 1000 == 0 for one in page.payments)


def test_only_who_pays_sees_the_code_of_the_account_to_pay(django_user_model):
    table = opened()
    play(table)
    plain = evening_page(positions.rows().get(pk=table.pk), worth=1000, reader=None)
    payment = plain.payments[0]
    payers = [one.payer for one in plain.payments if one.payee == payment.payee]
    winner = table.seats.get(name=payment.payee)
    user = django_user_model.objects.create(email="a@b.c")
    Seat.objects.filter(pk=winner.pk).update(user=user, token_hash="")
    PaymentWay.objects.create(user=user, bank="970436", number="0123456789", holder="A")
    forget_all()
    address = f"{reverse('evening', args=[table.key])}?worth=1000"
    payer = live.browser_of(table, table.seats.get(name=payers[0]).no)
    assert "VietQR" not in payer.get(address).content.decode()
    assert Client().post(address).status_code == 403
    assert payer.post(address).status_code == 403
    mine = browser_of(user)
    asked = "Players who pay you can't see your account number yet."
    assert asked in mine.get(address).content.decode()
    assert mine.post(address)["Location"] == address
    assert asked not in mine.get(address).content.decode()
    for name in NAMES:
        if name == payment.payee:
            continue
        seat = table.seats.get(name=name)
        html = live.browser_of(table, seat.no).get(address).content.decode()
        assert ("VietQR" in html) == (name in payers), name
        owed = [
            one.amount for one in plain.payments if (one.payer, one.payee) == (name, payment.payee)
        ]
        for amount in owed:
            words = vietqr.memo(name, day=plain.day)
            code = vietqr.code(bank="970436", number="0123456789", amount=amount, words=words)
            assert qr_of(code) in html
    assert "VietQR" not in Client().get(address).content.decode()


def test_a_point_is_worth_what_people_count_where_the_reader_is():
    table = opened()
    play(table)
    payer = live.browser_of(table, 0)
    payer.cookies["zone"] = "America/Los_Angeles"
    html = payer.get(reverse("evening", args=[table.key]), {"worth": "25"}).content.decode()
    for worth in ("$0.05", "$0.10", "$0.25", "$0.50", "$1.00"):
        assert worth in html
    assert re.search(r'value="25" selected', html)
    payer.cookies["zone"] = "Asia/Ho_Chi_Minh"
    html = payer.get(reverse("evening", args=[table.key]), {"worth": "25"}).content.decode()
    assert "10,000 đ" in html
    assert "$" not in re.sub(r"\s", "", html.split('id="worth"')[1].split("</select>")[0])


def test_the_page_has_sums_a_picture_and_the_way_to_a_club_night():
    table = opened()
    play(table)
    html = Client().get(reverse("evening", args=[table.key])).content.decode()
    assert 'data-picture="#evening"' in html
    for worth in ("", "0", "77", "x", "99999999999999999999"):
        address = reverse("evening", args=[table.key])
        assert Client().get(address, {"worth": worth}).status_code == 200


@pytest.mark.parametrize("rules", ["mien-nam", "penguin"])
def test_a_club_night_of_the_evening_has_its_names_and_rules_and_no_complaint(rules):
    table = opened(rules)
    play(table)
    html = Client().get(reverse("evening", args=[table.key])).content.decode()
    way = html.split(f'action="{reverse("league:tonight")}"')[1].split("</form>")[0]
    sent: dict[str, list[str]] = {"do": ["names"]}
    for name, value in re.findall(r'name="(text|ruleset)" value="(.+?)"', way):
        sent.setdefault(name, []).append(value)
    asked = Client().post(reverse("league:tonight"), sent)
    page = asked.content.decode()
    assert all(f'value="{name}"' in page for name in NAMES)
    assert asked.context["form"].errors == {}
    assert re.search(rf'value="{rules}"\s+selected', page)


def test_rules_of_their_own_are_not_offered_to_a_club_night():
    table = opened("penguin", forward=True)
    play(table)
    assert evening_page(table, worth=0, reader=None).rules == ""
    named = Client().post(reverse("league:tonight"), {"do": "names", "text": NAMES})
    assert named.context["form"].errors == {}


def test_only_tables_of_friends_have_an_evening():
    table = opened()
    Table.objects.update(for_anyone=True)
    assert Client().get(reverse("evening", args=[table.key])).status_code == 404
    Table.objects.update(for_anyone=False, watch_delay=60)
    assert Client().get(reverse("evening", args=[table.key])).status_code == 404
    assert live.browser_of(table, 0).get(reverse("evening", args=[table.key])).status_code == 200


def test_home_and_lobby_lead_back_to_a_running_game():
    table = opened()
    browser = Client()
    for address in (reverse("home"), reverse("tables:lobby")):
        assert "Back to your game" not in browser.get(address).content.decode()
    leave(table, "An")
    post(browser, table, "sit", script=False, no=0, name="An")
    assert browser.cookies["device"]["path"] == "/"
    for address in (reverse("home"), reverse("tables:lobby")):
        html = browser.get(address).content.decode()
        assert reverse("tables:table", args=[table.key]) in html
        assert "Back to your game" in html
        assert html.count("btn-gold") == 1
