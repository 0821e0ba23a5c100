"""Money that another enters: its person is told, reads by whom, and can say *Not right*."""

import datetime
import re
import uuid
from types import SimpleNamespace

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from league.clubs.acts import players
from league.models import Audit, EntryDoubt, NewsItem
from league.money.acts import postings
from league.money.facts import money_words, open_debts
from league.news.facts.words import message_of
from tests.factories import (
    browser_of,
    make_cost,
    make_member,
    make_paid_night,
    make_payment,
    make_user,
    owner_of,
    path_of,
)
from tests.worlds import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail")]


@made_once
def night():
    """A night in which its cashier, an organiser who plays, owes Lan."""
    event = make_paid_night(10_000)
    debt = open_debts.of_night(event)[0]
    event.owed = debt.amount
    event.cashier = make_member(event.season.club, "organiser")
    event.lan = make_user("lan@club.example")
    for user in (event.cashier, event.lan):
        user.language = "en"
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    event.debtor, event.creditor = debt.payer.player, debt.payee.player
    players.take_player(player=event.debtor, user=event.cashier)
    players.take_player(player=event.creditor, user=event.lan)
    return event


def pay(night, by, amount=None):
    """Enter that the cashier paid Lan."""
    pair = night.debtor, night.creditor
    return make_payment(night.season, *pair, amount or night.owed, event=night, by=by)


def undo(posting, by):
    return postings.reverse(posting=posting, by=by, client_id=uuid.uuid4())


def told(user, kind):
    """The messages of the kind that wait for the account and are still true."""
    found = NewsItem.objects.filter(kind=kind, user=user).order_by("pk")
    return [text for item in found if (text := message_of(item))]


def page_of(night, user):
    return browser_of(user).get(path_of(night, "event_money")).content.decode()


def say(night, user, posting, **fields):
    keys = [night.season.club.slug, night.season_id, posting.pk]
    fields = {"event": night.pk} | fields
    return browser_of(user).post(reverse("league:posting_doubt", args=keys), fields)


def test_who_is_owed_is_told_that_the_bookkeeper_marked_his_own_debt_as_paid(night):
    pay(night, night.cashier)
    (text,) = told(night.lan, "entered")
    assert text.subject == f"{night.season.club}: money entered in your name"
    assert f"{night.debtor} to {night.creditor}" in text.lines[1]
    assert str(night.debtor) in text.lines[1].split("entered by")[1]
    assert told(night.cashier, "entered") == []


def test_one_message_collects_what_was_entered_and_forgets_what_was_undone_at_once(night):
    first = pay(night, night.cashier, 1)
    pay(night, night.cashier, 2)
    (text,) = told(night.lan, "entered")
    assert len(text.lines) == 4  # The night, two entries, and what to do.
    undo(first, night.cashier)
    (text,) = told(night.lan, "entered")
    assert len(text.lines) == 3


def test_an_entry_after_the_message_of_its_hour_is_told_by_the_next(night):
    pay(night, night.cashier, 1)
    NewsItem.objects.update(state=NewsItem.State.SENT)
    for amount in (2, 3):
        pay(night, night.cashier, amount)
    (later,) = NewsItem.objects.filter(kind="entered", user=night.lan, state="waiting")
    lines = message_of(later).lines
    assert len(lines) == 4
    assert not any(f": {1} " in line for line in lines)
    NewsItem.objects.update(state=NewsItem.State.SENT)
    pay(night, night.cashier, 4)
    (last,) = NewsItem.objects.filter(kind="entered", user=night.lan, state="waiting")
    assert len(message_of(last).lines) == 3


def test_an_entry_of_the_next_hour_is_told_once(night):
    today = timezone.now().replace(hour=10, minute=58)
    with time_machine.travel(today, tick=False) as now:
        pay(night, night.cashier, 1)
        now.shift(datetime.timedelta(minutes=3))
        pay(night, night.cashier, 2)
    lines = [line for text in told(night.lan, "entered") for line in text.lines]
    assert len([line for line in lines if "entered by" in line]) == 2


def test_a_fee_is_told_and_an_entry_of_a_season_leads_there(night):
    postings.charge_fee(
        season=night.season, players=[night.creditor], amount=300, by=night.cashier,
        client_id=uuid.uuid4(),
    )  # fmt: skip
    (text,) = told(night.lan, "entered")
    assert text.lines[0] == night.season.name
    assert "entry fee" in text.lines[1]


def test_the_ledger_says_who_entered_an_entry_and_when(night):
    pay(night, night.cashier)
    assert "entered by the payer" in page_of(night, night.lan)
    club, keys = night.season.club, [night.debtor.pk, night.creditor.pk]
    between = path_of(night.season, "money_between", *keys)
    assert "entered by the payer" in browser_of(night.lan).get(between).content.decode()
    scribe = make_member(club, "organiser")
    scribe.name = "Scribe"
    scribe.save()
    pay(night, scribe, 1)
    assert "entered by Scribe" in browser_of(night.lan).get(between).content.decode()
    assert "entered by Scribe" in page_of(night, night.lan)
    plays_as = players.add_player(club=club, name="Cô Ba", by=scribe)
    players.take_player(player=plays_as, user=scribe)
    assert "entered by Cô Ba" in browser_of(night.lan).get(between).content.decode()
    assert "entered by Cô Ba" in page_of(night, night.lan)


def test_who_pays_for_others_too_is_no_payer_of_theirs(night):
    """A cashier who settles all at once, an own debt among them, enters the payments of others."""
    posting = pay(night, night.cashier)
    own = list(posting.transfers.all())
    assert money_words.entered(posting, own) == "entered by the payer"
    for player in (None, night.creditor):
        both = [*own, SimpleNamespace(hands=(SimpleNamespace(player=player),))]
        assert money_words.entered(posting, both) == f"entered by {posting.by}"


def test_not_right_reaches_the_organisers_with_the_entry_until_it_is_reversed(night):
    posting = pay(night, night.cashier)
    assert "Not right" in page_of(night, night.lan)
    say(night, night.lan, posting)
    say(night, night.lan, posting)
    (text,) = told(night.cashier, "entry_doubted")
    assert text.subject == f"{night.creditor} says that an entry is not right"
    assert f"{night.creditor}: not right" in " ".join(page_of(night, night.cashier).split())
    assert Audit.objects.filter(action="posting.doubted").count() == 1
    undo(posting, night.cashier)
    assert told(night.cashier, "entry_doubted") == []
    assert say(night, night.lan, posting, is_right="1").status_code == 302
    assert EntryDoubt.objects.count() == 1  # It was said of an entry that is history now.


def test_a_doubt_is_taken_back_by_who_had_it(night):
    posting = pay(night, night.cashier)
    say(night, night.lan, posting)
    say(night, night.lan, posting, is_right="1")
    assert not EntryDoubt.objects.exists()
    assert told(night.cashier, "entry_doubted") == []


def test_nobody_doubts_an_entry_of_others(night):
    posting = pay(night, night.cashier)
    other = make_member(night.season.club, "player")
    assert "Not right" not in page_of(night, other)
    assert say(night, other, posting).status_code == 404
    assert not EntryDoubt.objects.exists()


def test_one_bookkeeper_who_plays_is_not_told_of_his_own_entries(night):
    posting = pay(night, night.cashier)
    assert "Not right" not in page_of(night, night.cashier)
    undo(posting, night.cashier)
    assert told(night.cashier, "entered") == []
    assert told(night.lan, "entered") == []


def test_entries_that_only_say_what_is_paid_are_folded_for_all_but_those_named(night):
    def is_open(user):
        (fold,) = re.findall(
            r'<details class="panel"\s*(open)?>\s*<summary id="postings">', page_of(night, user)
        )
        return bool(fold)

    posting = pay(night, night.cashier)
    owner = owner_of(night)
    assert not is_open(owner), "the payments above say the same"
    assert not is_open(make_member(night.season.club, "scorer"))
    assert is_open(night.lan), "who can say Not right finds where"
    say(night, night.lan, posting)
    assert is_open(owner), "a doubt is seen"
    say(night, night.lan, posting, is_right="1")
    assert not is_open(owner)
    paid = {"event": night, "paid_by": night.debtor, "by": night.cashier}
    make_cost(night.season, [night.creditor], 300, **paid)
    assert is_open(owner), "a cost stands nowhere else"
