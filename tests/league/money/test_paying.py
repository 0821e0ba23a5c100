"""An account number gives who owes it a QR code for that, and nobody else anything."""

import datetime
import io
import itertools
import json
import zipfile
from urllib.parse import urlencode

import pytest
import segno
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.base.acts import links
from league.clubs.acts import account_data as accounts
from league.clubs.acts import merges, players
from league.clubs.pages import account_data
from league.models import Event, PaymentWay
from league.money.acts import payment_ways
from league.money.domain import vietqr
from league.money.domain.banks import BANKS
from league.money.facts.payment_ways import of_payee
from league.money.pages.pay import how_to_pay
from tests.factories import (
    browser_of,
    make_member,
    make_paid_night,
    make_user,
    night_link,
    owner_of,
    path_of,
    sign_in,
)
from tests.worlds import made_once

NUMBER = "9704229999001122"


# NAPAS's own examples of a transfer to an account, without and with an amount.
STATIC = (
    "00020101021138570010A00000072701270006970403011300110123456780208QRIBFTTA53037045802VN63049E6F"
)
FILLED_IN = (
    "00020101021238570010A00000072701270006970403011300110123456780208QRIBFTTA"
    "530370454061800005802VN62340107NPS68690819thanh toan don hang63042E2E"
)


def test_the_code_says_what_napas_prescribes():
    account = {"bank": "970403", "number": "0011012345678"}
    assert vietqr.code(**account) == STATIC
    assert f"{vietqr.checksum(FILLED_IN[:-4]):04X}" == FILLED_IN[-4:]
    # Ours has no number of a bill (field 01), which only shops have.
    ours = vietqr.code(**account, amount=180_000, words="thanh toan don hang")
    assert ours[:-8] == FILLED_IN[:-8].replace("62340107NPS6869", "6223")


def test_words_are_what_banks_take():
    assert vietqr.plain("Tiến lên 20/11 Đặng Thị Ánh Nguyệt") == "Tien len 20 11 Dang Thi A"
    assert vietqr.plain("<b>…</b>") == "b b"
    assert len(vietqr.code(bank="970436", number="1" * 19, amount=10**13)) < 160
    assert len(BANKS) == len(set(BANKS.values()))
    assert list(BANKS.values()) == sorted(BANKS.values(), key=lambda name: name.casefold())
    young = {"546034", "546035", "963388", "422589", "970410", "458761"}
    assert young <= BANKS.keys()


DAY = datetime.date(2015, 11, 23)


def memo(name, *names):
    return vietqr.memo(name, day=DAY, names=names)


def test_the_memo_keeps_the_given_name_which_stands_last():
    assert memo("Nguyễn Thị Phương Thảo") == "TL 23 11 N T Phuong Thao"
    assert memo("Nguyễn Thị Phương Anh") == "TL 23 11 N Thi Phuong Anh"
    assert memo("Trần Thị Ánh") == "TL 23 11 Tran Thi Anh"
    assert memo("Đặng") == "TL 23 11 Dang"
    assert memo("=))") == "TL 23 11"
    assert memo("Wolfeschlegelsteinhausen") == "TL 23 11 Wolfeschlegelste"
    assert vietqr.memo("Lê Văn Bình") == "TL Le Van Binh"


def test_no_two_memos_of_a_night_are_equal():
    alike = ["Lân", "Lan", "Lan 2", "Trần Thị Phương Thảo", "Trịnh Thị Phương Thảo"]
    found = [memo(name, *alike) for name in alike]
    assert len(set(found)) == len(alike)
    assert found == [
        "TL 23 11 Lan 3",
        "TL 23 11 Lan",
        "TL 23 11 Lan 2",
        "TL 23 11 T T Phuong Thao",
        "TL 23 11 T T P Thao 2",
    ]


def test_ten_thousand_names_keep_their_given_names_apart():
    families = [
        "Nguyễn", "Trần", "Lê", "Phạm", "Hoàng", "Huỳnh", "Phan", "Vũ", "Đặng", "Bùi", "Đỗ",
        "Hồ", "Ngô", "Dương", "Lý", "Trương",
    ]  # fmt: skip
    middles = [
        "Thị", "Văn", "Hữu", "Đức", "Ngọc", "Minh", "Thanh", "Quang", "Phương", "Hoài",
    ]  # fmt: skip
    given = [
        "An", "Anh", "Bảo", "Bình", "Châu", "Chi", "Dũng", "Đạt", "Giang", "Hà", "Hạnh", "Hiếu",
        "Hương", "Khánh", "Linh", "Nghiêm",
    ]  # fmt: skip
    every = itertools.product(families, middles, middles[5:], given)
    names = [" ".join(words) for words in every][:10_000]
    assert len(names) == 10_000
    for name in names:
        said = memo(name)
        assert said.endswith(" " + vietqr.plain(name.split()[-1])), (name, said)
        assert len(said) <= vietqr.LONGEST_WORDS
    for at in range(0, len(names), 400):
        evening = names[at : at + 40]
        assert len({memo(name, *evening) for name in evening}) == 40


@made_once
def night():
    """A night in đồng whose winner has an account and left a number."""
    event = make_paid_night(10_000)
    club, names = event.season.club, event.order
    club.unit = "đ"
    club.save()
    user = make_user("winner@club.example")
    event.payee = players.named(club=club, name=names[0])
    players.take_player(player=event.payee, user=user, shows_ways=True)
    event.payee.refresh_from_db()
    event.debtor = make_user("debtor@club.example")
    payer = players.named(club=club, name=names[-1])
    players.take_player(player=payer, user=event.debtor)
    payment_ways.leave(
        user=user, bank="970422", number="9704 2299 9900 1122", holder="NGUYEN VAN A", words=""
    )
    return event


def pay_address(night, **query):
    address = path_of(night.season.club, "pay", night.payee.pk)
    return f"{address}?{urlencode(query or {'event': night.pk})}"


def test_who_owes_is_shown_a_code_with_amount_and_words(night):
    client = browser_of(night.debtor)
    money = client.get(path_of(night, "event_money"))
    [payment] = money.context["payments"]
    link = pay_address(night)
    assert link in money.content.decode()
    answer = client.get(link)
    shown = answer.content.decode()
    words = vietqr.memo(str(payment.payer), day=night.date)
    code = vietqr.code(bank="970422", number=NUMBER, amount=10_000, words=words)
    drawn = segno.make(code, error="m", micro=False)
    svg = drawn.svg_inline(omitsize=True, border=4, svgclass="qr", lineclass=None)
    assert svg.removeprefix("<svg") in shown
    assert NUMBER in shown
    assert words in shown
    assert "no-store" in answer["Cache-Control"]


def test_other_units_leave_the_amount_to_the_payer_and_thousands_count(night):
    payee = night.payee
    payee.club.unit = "nghìn"
    assert how_to_pay(payee, amount=20).says_amount
    payee.club.unit = "kẹo"
    assert not how_to_pay(payee, amount=20).says_amount
    payment_ways.leave(user=payee.user, bank="", number="", holder="", words="IBAN DE12 3456")
    how = how_to_pay(payee, amount=20)
    assert (how.qr, how.words, how.elsewhere) == (None, "", "IBAN DE12 3456")
    assert "IBAN DE12 3456" in how.text


def test_nobody_but_who_owes_ever_gets_the_number(night):
    club = night.season.club
    stranger = Client()
    assert stranger.get(pay_address(night)).status_code == 404
    own = browser_of(owner_of(club))
    asked = {"amount": 10_000, "payer": night.payee.pk, "event": night.pk}
    read = [
        own.get(pay_address(night)).content,
        own.get(pay_address(night, **asked)).content,
        own.get(pay_address(night, season=night.season_id)).content,
        browser_of(make_member(club, "scorer")).get(pay_address(night)).content,
        own.get(path_of(night, "event_money")).content,
        stranger.get(path_of(night, "event_money")).content,
        stranger.get(path_of(club, "player", night.payee.pk)).content,
        own.get(path_of(club, "player", night.payee.pk)).content,
        own.get(f"/api/v1/clubs/{club.slug}/players/{night.payee.pk}/").content,
        *archived(own, club),
    ]
    assert read[-1]
    assert not any(NUMBER.encode() in text or b"NGUYEN VAN A" in text for text in read)
    assert b"/pay/?" not in read[4]


def test_nobody_gets_the_number_where_its_owner_did_not_say_so(night):
    debtor, payee = browser_of(night.debtor), night.payee
    assert NUMBER in debtor.get(pay_address(night)).content.decode()
    client = sign_in(payee.user)
    page = client.get(reverse("my_bank")).content.decode()
    assert 'aria-checked="true"' in page
    client.post(reverse("my_bank"), {"player": payee.pk, "shown": "0"})
    shown = debtor.get(pay_address(night)).content.decode()
    assert NUMBER not in shown
    assert "has not said how to be paid. Ask" in " ".join(shown.split())
    assert "Who owes you sees it" not in client.get(reverse("me")).content.decode()
    client.post(reverse("my_bank"), {"player": payee.pk, "shown": "1"})
    assert NUMBER in debtor.get(pay_address(night)).content.decode()
    told = " ".join(client.get(reverse("me")).content.decode().split())
    assert f"Players who owe you see it in {night.season.club.name}." in told
    stranger = make_user()
    browser_of(stranger).post(reverse("my_bank"), {"player": payee.pk, "shown": "0"})
    assert NUMBER in debtor.get(pay_address(night)).content.decode()


def test_a_link_of_before_goes_on_showing_it(night):
    type(night.payee).objects.filter(pk=night.payee.pk).update(shows_ways=None)
    assert NUMBER in browser_of(night.debtor).get(pay_address(night)).content.decode()


@pytest.mark.parametrize("payee_is", ["alias", "into"])
@pytest.mark.parametrize("payee_said_no", [True, False])
def test_a_no_holds_when_names_are_merged_and_separated(night, payee_is, payee_said_no):
    debtor, payee, club = browser_of(night.debtor), night.payee, night.season.club
    other = players.add_player(club=club, name="Khách", by=owner_of(club))
    assert NUMBER in debtor.get(pay_address(night)).content.decode()
    payment_ways.show(player=payee if payee_said_no else other, shown=False)
    alias, into = (payee, other) if payee_is == "alias" else (other, payee)
    merges.merge(alias=alias, into=into, by=owner_of(club))
    night.payee = into
    assert NUMBER not in debtor.get(pay_address(night)).content.decode()
    merges.unmerge(alias=alias, by=owner_of(club))
    account = payee.user_id
    payee.refresh_from_db()
    assert payee.user_id == account
    assert of_payee(payee) is None


@pytest.mark.parametrize("shown", [True, None])
def test_an_account_that_comes_with_a_merged_name_keeps_what_it_said(night, shown):
    club, payee = night.season.club, night.payee
    other = players.add_player(club=club, name="Khách", by=owner_of(club))
    type(payee).objects.filter(pk=payee.pk).update(shows_ways=shown)
    type(payee).objects.filter(pk=other.pk).update(shows_ways=not shown or None)
    merges.merge(alias=payee, into=other, by=owner_of(club))
    other.refresh_from_db()
    assert (other.user_id, other.shows_ways) == (payee.user_id, shown)


def test_a_phone_with_the_debtors_name_is_shown_it_and_another_is_not(night):
    payer = night.debtor.player_set.get()
    phone, other = Client(), Client()
    for client in (phone, other):
        claims_of(client, night, payer) if client is phone else None
    assert NUMBER in phone.get(pay_address(night)).content.decode()
    assert other.get(pay_address(night)).status_code == 404
    assert phone.get(pay_address(night, season=night.season_id)).status_code == 404


def claims_of(client, night, player):
    """Take the player's name on the phone."""
    links.renew_for_night(event=night, by=owner_of(night))
    client.post(night_link(night), {"me": player.pk})


def test_a_debt_whose_payee_said_nothing_leads_to_a_page_that_says_so(night):
    payment_ways.leave(user=night.payee.user, bank="", number="", holder="", words="")
    debtor = browser_of(night.debtor)
    Event.objects.filter(pk=night.pk).update(date=night.date - datetime.timedelta(days=1))
    for page in ("home", "me"):
        link = pay_address(night, season=night.season_id)
        assert link in debtor.get(reverse(page)).content.decode()
        answer = debtor.get(link)
        assert answer.status_code == 200
        shown = " ".join(answer.content.decode().split())
        assert f"{night.payee.name} has not said how to be paid. Ask, or pay in cash." in shown


def archived(client, club):
    """Every file of the club's archive."""
    answer = client.post(path_of(club, "club_archive"))
    content = b"".join(answer) if answer.streaming else answer.content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [archive.read(name) for name in archive.namelist()]


def test_it_is_part_of_my_data_and_goes_with_the_account(night):
    user = night.payee.user
    data = json.loads(json.dumps(account_data.everything(user), default=str))
    assert data["paid_to"] == [
        {"bank": "970422", "number": NUMBER, "holder": "NGUYEN VAN A", "words": ""}
    ]
    accounts.erase_person(user=user)
    assert not PaymentWay.objects.exists()


@pytest.mark.django_db
def test_a_person_leaves_and_removes_it_behind_their_password():
    user = make_user()
    client = browser_of(user)
    address = reverse("my_bank")
    fields = {"bank": "970436", "number": "1023 456-789", "holder": " A  B ", "words": ""}
    assert "reauthenticate" in client.post(address, fields)["Location"]
    client = sign_in(user)
    assert client.post(address, fields | {"number": "12"}).status_code == 422
    assert client.post(address, fields)["Location"] == reverse("me")
    kept = PaymentWay.objects.get(user=user)
    assert (kept.number, kept.holder) == ("1023456789", "A B")
    assert user.security_events.filter(kind="paid_to").count() == 1
    client.post(address, dict.fromkeys(fields, ""))
    assert not PaymentWay.objects.filter(user=user).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{}, {"bank": "970436"}, {"bank": "x", "number": "1234"}])
def test_the_database_refuses_half_an_account(fields):
    user = make_user()
    with pytest.raises(IntegrityError), transaction.atomic():
        PaymentWay.objects.create(user=user, **fields)


@pytest.mark.django_db
def test_unknown_banks_and_loose_numbers_are_refused():
    for fields in ({"bank": "123456", "number": "1234"}, {"bank": "", "number": "1234"}):
        with pytest.raises(ValidationError):
            payment_ways.leave(user=make_user(), holder="", words="", **fields)
