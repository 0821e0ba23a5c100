"""Who says how a player without an account is paid: a phone for its claim, organisers for all."""

import datetime
import uuid
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links
from league.clubs.acts import merges, players
from league.me.acts import retention
from league.models import FormerWay, PaymentWay
from league.money.acts import payment_ways, postings
from league.money.facts import open_debts
from league.nights.acts import claims
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_paid_night,
    make_user,
    night_link,
    owner_of,
    path_of,
    sign_in,
)
from tests.worlds import lived_from, made_once

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 19:00+07:00")

EMPTY = {"bank": "", "number": "", "holder": "", "words": ""}
THEFT = EMPTY | {"words": "ATTACKER cash 0123456789"}


@made_once
def night():
    """A night whose winner has no account, with the debtor's browser."""
    event = make_paid_night(10_000)
    club = event.season.club
    club.unit = "đ"
    club.save()
    links.renew_for_night(event=event, by=owner_of(club))
    event.payee = players.named(club=club, name=event.order[0])
    event.debtor = make_user("debtor@club.example")
    players.take_player(player=players.named(club=club, name=event.order[-1]), user=event.debtor)
    return event


def phone_of(night, player):
    """A phone that took the player's name in the night."""
    phone = Client()
    phone.post(night_link(night), {"me": player.pk})
    assert night.claims.filter(player=player, ended_at=None).exists()
    return phone


def bank_of(night):
    return reverse("league:my_phone_bank", args=[night.pk])


def shown(night) -> str:
    """What the debtor's page says."""
    address = path_of(night.season.club, "pay", night.payee.pk)
    page = browser_of(night.debtor).get(f"{address}?event={night.pk}")
    return " ".join(page.content.decode().split())


def free(night):
    claims.end(event=night, player_id=night.payee.pk, by=owner_of(night))


def test_what_a_phone_leaves_is_shown_as_not_confirmed_and_ends_with_the_claim(night):
    phone = phone_of(night, night.payee)
    told = f"Players who owe {night.payee} see this next to the debt."
    assert told in phone.get(bank_of(night)).content.decode()
    assert phone.post(bank_of(night), THEFT).status_code == 302
    said = shown(night)
    assert "0123456789" in said
    at = PaymentWay.objects.get().at.astimezone(ZoneInfo(night.season.club.time_zone))
    assert f"Left by a phone at {at:%H:%M}, not confirmed." in said
    free(night)
    assert "0123456789" not in shown(night)
    other = phone_of(night, night.payee)
    assert "0123456789" not in other.get(bank_of(night)).content.decode()
    assert "?again" not in other.get(bank_of(night)).content.decode()


def test_a_code_of_a_bank_that_a_phone_left_says_so_too(night):
    phone = phone_of(night, night.payee)
    fields = EMPTY | {"bank": "970436", "number": "0123456789", "holder": "X"}
    phone.post(bank_of(night), fields)
    said = shown(night)
    assert "qr-code" in said
    assert "not confirmed." in said
    free(night)
    assert "qr-code" not in shown(night)


def test_a_phone_without_the_name_leaves_nothing(night):
    assert Client().post(bank_of(night), THEFT).status_code == 404
    assert not PaymentWay.objects.exists()


def test_the_same_phone_finds_its_words_again_next_week(night):
    phone = phone_of(night, night.payee)
    phone.post(bank_of(night), THEFT)
    following = make_night(4, season=night.season)
    links.renew_for_night(event=following, by=owner_of(night))
    phone.post(night_link(following),
               {"me": night.payee.pk})  # fmt: skip
    assert "0123456789" in phone.get(bank_of(following)).content.decode()
    phone.post(bank_of(following), THEFT | {"words": "new words"})
    assert "new words" in shown(night)
    assert PaymentWay.objects.count() == 1


def test_what_a_phone_left_before_1_2_is_shown_to_nobody_until_it_is_confirmed(night):
    old = PaymentWay.objects.create(player=night.payee, words="old words")
    assert "old words" not in shown(night)
    phone = phone_of(night, night.payee)
    assert "old words" not in phone.get(bank_of(night)).content.decode()
    owner = browser_of(owner_of(night))
    path = path_of(night.season.club, "player_bank", night.payee.pk)
    assert "old words" in owner.get(path).content.decode()
    owner.post(path, {"confirm": old.pk})
    assert "old words" in shown(night)
    assert "Written by a member" in shown(night)


def test_an_organiser_confirms_what_a_phone_left_and_it_outlasts_the_claim(night):
    phone = phone_of(night, night.payee)
    phone.post(bank_of(night), THEFT)
    by = owner_of(night)
    payment_ways.confirm(player=night.payee, way=PaymentWay.objects.get().pk, by=by)
    assert "not confirmed" not in shown(night)
    answer = phone.post(bank_of(night), EMPTY | {"words": "x"})
    assert "An organiser wrote this." in answer.content.decode()
    free(night)
    assert "0123456789" in shown(night)
    with pytest.raises(ValidationError, match="has just changed"):
        payment_ways.confirm(player=night.payee, way=0, by=by)


def test_after_the_first_payment_a_change_goes_to_the_organiser(night):
    phone = phone_of(night, night.payee)
    phone.post(bank_of(night), THEFT)
    [debt] = open_debts.of_night(night)
    posting = postings.settle_open(
        season=night.season, event=night, amount=debt.amount, by=owner_of(night),
        which=open_debts.Which(debt.payer.player_id, debt.payee.player_id),
        client_id=uuid.uuid4(),
    )  # fmt: skip
    answer = phone.post(bank_of(night), EMPTY | {"words": "x"})
    assert "You have already been paid." in answer.content.decode()
    assert PaymentWay.objects.get().words == THEFT["words"]
    postings.reverse(posting=posting, by=owner_of(night), client_id=uuid.uuid4())
    assert phone.post(bank_of(night), EMPTY | {"words": "x"}).status_code == 302


def test_what_an_organiser_writes_names_who_and_when_and_the_old_words_can_be_had_back(night):
    club, player = night.season.club, night.payee
    first, second = make_member(club, "organiser"), make_member(club, "organiser")
    players.take_player(player=players.named(club=club, name=night.order[1]), user=second)
    payment_ways.leave_for(player=player, by=first, **EMPTY | {"words": "right"})
    payment_ways.leave_for(player=player, by=second, **EMPTY | {"words": "thief 999"})
    assert f"Written by {night.order[1]}," in shown(night)
    path = path_of(club, "player_bank", player.pk)
    assert "?again=1" not in browser_of(second).get(path).content.decode()
    mine = browser_of(first)
    assert "?again=1" in mine.get(path).content.decode()
    assert ">right</textarea>" in mine.get(f"{path}?again=1").content.decode().replace("\n", "")
    retention.forget(timezone.now() + datetime.timedelta(days=31))
    assert not FormerWay.objects.exists()
    assert "?again=1" not in mine.get(path).content.decode()


def test_unlinking_an_account_brings_no_older_words_to_light(night):
    by = owner_of(night)
    payment_ways.leave_for(player=night.payee, by=by, **EMPTY | {"words": "old words"})
    user = make_user()
    players.take_player(player=night.payee, user=user, shows_ways=True)
    assert "old words" not in shown(night)
    PaymentWay.objects.create(player=night.payee, by=by, words="of a link of before 1.2")
    players.unlink_account(player=night.payee, by=by)
    assert "of a link" not in shown(night)
    assert "old words" not in shown(night)


def test_what_was_written_for_another_name_of_the_person_ends_too(night):
    club, by = night.season.club, owner_of(night)
    other = players.add_player(club=club, name="Khách", by=by)
    payment_ways.leave_for(player=other, by=by, **EMPTY | {"words": "old words"})
    merges.merge(alias=other, into=night.payee, by=by)
    assert "old words" in shown(night)
    payment_ways.leave_for(player=night.payee, by=by, **EMPTY)
    assert "old words" not in shown(night)


def test_the_form_shows_what_debtors_read_of_another_name_of_the_person(night):
    club = night.season.club
    by = owner_of(club)
    payment_ways.leave_for(player=night.payee, by=by, **EMPTY | {"words": "of the other name"})
    into = players.add_player(club=club, name="Cô Ba", by=by)
    merges.merge(alias=night.payee, into=into, by=by)
    night.payee = into
    assert "of the other name" in shown(night)
    page = path_of(club, "player_bank", into.pk)
    assert "of the other name" in browser_of(by).get(page).content.decode()


def test_nobody_writes_how_an_account_is_paid(night):
    user, by = make_user(), owner_of(night)
    phone = phone_of(night, night.payee)
    players.take_player(player=night.payee, user=user)
    with pytest.raises(ValidationError, match="has an account and says it there"):
        payment_ways.leave_for(player=night.payee, by=by, **THEFT)
    assert phone.post(bank_of(night), THEFT).status_code == 404
    assert not PaymentWay.objects.exists()


def test_an_account_has_its_own_words_of_before_back():
    user = make_user()
    client = sign_in(user)
    client.post(reverse("my_bank"), EMPTY | {"words": "first"})
    client.post(reverse("my_bank"), EMPTY | {"words": "second"})
    assert "?again=1" in client.get(reverse("my_bank")).content.decode()
    assert "first" in client.get(f"{reverse('my_bank')}?again=1").content.decode()
    assert PaymentWay.objects.get().words == "second"
