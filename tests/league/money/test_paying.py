"""An account number gives members a QR code for what they owe, and nobody else anything."""

import io
import json
import zipfile
from urllib.parse import urlencode

import pytest
import segno
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.clubs.acts import account_data as accounts
from league.clubs.acts import players
from league.clubs.pages import account_data
from league.models import BankDetails
from league.money.acts import bank_details
from league.money.domain import vietqr
from league.money.domain.banks import BANKS
from league.money.pages.pay import how_to_pay
from tests.factories import (
    browser_of,
    make_member,
    make_paid_night,
    make_user,
    owner_of,
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


@made_once
def night():
    """A night in đồng whose winner has an account and left a number."""
    event = make_paid_night(10_000)
    club, names = event.season.club, event.order
    club.unit = "đ"
    club.save()
    user = make_user("winner@club.example")
    event.payee = players.named(club=club, name=names[0])
    players.take_player(player=event.payee, user=user)
    event.payee.refresh_from_db()
    bank_details.leave(
        user=user, bank="970422", number="9704 2299 9900 1122", holder="NGUYEN VAN A", words=""
    )
    return event


def pay_address(night, **query):
    address = reverse("league:pay", args=[night.season.club.slug, night.payee.pk])
    return f"{address}?{urlencode(query)}"


def test_a_debt_shows_members_a_code_with_amount_and_words(night):
    club = night.season.club
    client = browser_of(make_member(club, "player"))
    money = client.get(reverse("league:event_money", args=[club.slug, night.pk]))
    [payment] = money.context["payments"]
    link = pay_address(night, amount=10_000, payer=payment.payer.player_id, event=night.pk)
    assert link.replace("&", "&amp;") in money.content.decode()
    answer = client.get(link)
    shown = answer.content.decode()
    words = vietqr.plain(f"Tien len {night.date:%d %m} {payment.payer}")
    code = vietqr.code(bank="970422", number=NUMBER, amount=10_000, words=words)
    drawn = segno.make(code, error="m", micro=False)
    assert drawn.svg_inline(omitsize=True, border=4, svgclass="qr", lineclass=None) in shown
    assert NUMBER in shown
    assert words in shown
    assert "no-store" in answer["Cache-Control"]


def test_other_units_leave_the_amount_to_the_payer_and_thousands_count(night):
    payee = night.payee
    payee.club.unit = "nghìn"
    assert how_to_pay(payee, amount=20).says_amount
    payee.club.unit = "kẹo"
    assert not how_to_pay(payee, amount=20).says_amount
    bank_details.leave(user=payee.user, bank="", number="", holder="", words="IBAN DE12 3456")
    how = how_to_pay(payee, amount=20)
    assert (how.qr, how.words, how.elsewhere) == (None, "", "IBAN DE12 3456")
    assert "IBAN DE12 3456" in how.text


def test_nobody_but_members_ever_gets_the_number(night):
    club = night.season.club
    stranger = Client()
    assert stranger.get(pay_address(night)).status_code == 404
    own = browser_of(owner_of(club))
    read = [
        stranger.get(reverse("league:event_money", args=[club.slug, night.pk])).content,
        stranger.get(reverse("league:player", args=[club.slug, night.payee.pk])).content,
        own.get(reverse("league:player", args=[club.slug, night.payee.pk])).content,
        own.get(f"/api/v1/clubs/{club.slug}/players/{night.payee.pk}/").content,
        *archived(own, club),
    ]
    assert read[-1]
    assert not any(NUMBER.encode() in text or b"NGUYEN VAN A" in text for text in read)
    assert b"?amount=" not in read[0]


def test_the_account_of_a_player_may_pay_as_long_as_it_has_its_role(night):
    club = night.season.club
    owes = make_user("owes@club.example")
    payer = club.players.filter(user=None, bot="").first()
    assert payer is not None
    players.take_player(player=payer, user=owes)
    assert NUMBER.encode() in browser_of(owes).get(pay_address(night)).content
    club.memberships.filter(user=owes).delete()
    assert browser_of(owes).get(pay_address(night)).status_code == 404


def archived(client, club):
    """Every file of the club's archive."""
    answer = client.post(reverse("league:club_archive", args=[club.slug]))
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
    assert not BankDetails.objects.exists()


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
    kept = BankDetails.objects.get(user=user)
    assert (kept.number, kept.holder) == ("1023456789", "A B")
    assert user.security_events.filter(kind="paid_to").count() == 1
    client.post(address, dict.fromkeys(fields, ""))
    assert not BankDetails.objects.filter(user=user).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{}, {"bank": "970436"}, {"bank": "x", "number": "1234"}])
def test_the_database_refuses_half_an_account(fields):
    user = make_user()
    with pytest.raises(IntegrityError), transaction.atomic():
        BankDetails.objects.create(user=user, **fields)


@pytest.mark.django_db
def test_unknown_banks_and_loose_numbers_are_refused():
    for fields in ({"bank": "123456", "number": "1234"}, {"bank": "", "number": "1234"}):
        with pytest.raises(ValidationError):
            bank_details.leave(user=make_user(), holder="", words="", **fields)
