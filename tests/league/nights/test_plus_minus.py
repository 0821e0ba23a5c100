"""What one person at a table owes another beside the games, noted by the table itself."""

import uuid

import pytest
from django.test import Client

from league.models import Posting
from league.money.acts import postings
from league.money.facts import open_debts
from league.money.pages import night_sheet
from league.nights.acts import closing
from tests.factories import (
    browser_of,
    make_night,
    make_table,
    owner_of,
    path_of,
    table_link,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def make_night_table(**settings):
    return make_table(make_night(rules="killa", **({"stake": 10} | settings)))


@made_once
def sitting():
    return make_night_table(format={"plus_minus": True})


def at(sitting) -> str:
    return table_link(sitting, sitting.round.number)


def said(sitting, **more: object) -> dict[str, object]:
    minus, plus = (place.entrant_id for place in sitting.seated[:2])
    sent = {"side": "1", "payer": minus, "payee": plus, "amount": 20, "note": "Bia"}
    return sent | {"client_id": uuid.uuid4()} | more


def test_a_phone_at_the_table_notes_it_once_and_an_organiser_takes_it_back(sitting):
    event, phone = sitting.round.event, Client()
    club, by = event.season.club, owner_of(event)
    assert 'name="side"' in phone.get(at(sitting)).content.decode()
    sent = said(sitting)
    for _again in range(2):
        assert phone.post(at(sitting), sent).status_code == 302
    told = phone.post(at(sitting), sent | {"amount": 50})
    assert told.status_code == 409
    assert "sent before with other content" in told.content.decode()
    assert str(sent["client_id"]) not in told.content.decode()
    posting = Posting.objects.get()
    assert (posting.kind, posting.note, posting.by, posting.event) == ("side", "Bia", None, event)
    minus, plus = (place.entrant.player for place in sitting.seated[:2])
    (debt,) = open_debts.of_night(event)
    assert (debt.payer.player, debt.payee.player, debt.amount) == (minus, plus, 20)
    rows = night_sheet.of_night(event, even=False).rows
    beside = {row.name: row.beside for row in rows if row.beside}
    assert beside == {minus.name: -20, plus.name: 20}
    organiser = browser_of(by)
    log = organiser.get(path_of(club, "audit")).content.decode()
    assert f"Someone at the table recorded that {minus.name} owes {plus.name} 20" in log
    money = organiser.get(path_of(event, "event_money"))
    assert "plus and minus" in money.content.decode()
    postings.reverse(posting=posting, by=by, client_id=uuid.uuid4())
    assert open_debts.of_night(event) == []


@pytest.mark.parametrize(
    "wrong",
    [{"payee": ""}, {"payer": "9" * 17}, {"amount": 0}, {"amount": 10**13}, {"note": " "},
     {"client_id": "x"}],
)  # fmt: skip
def test_what_nobody_can_owe_is_refused_with_a_sentence(sitting, wrong):
    assert Client().post(at(sitting), said(sitting, **wrong)).status_code == 409
    alone = said(sitting)
    assert Client().post(at(sitting), alone | {"payee": alone["payer"]}).status_code == 409
    assert not Posting.objects.exists()


@pytest.mark.parametrize("plan", [{}, {"stake": 0, "format": {"plus_minus": True}}])
def test_a_night_has_none_unless_it_says_so_and_plays_for_a_stake(plan):
    sitting = make_night_table(**plan)
    phone = Client()
    assert 'name="side"' not in phone.get(at(sitting)).content.decode()
    assert phone.post(at(sitting), said(sitting)).status_code == 409
    assert not Posting.objects.exists()


def test_a_closed_night_takes_none(sitting):
    event = sitting.round.event
    address = path_of(event, "table", 1, 1)
    organiser, by = Client(), owner_of(event)
    organiser.force_login(by)
    assert organiser.post(address, said(sitting)).status_code == 302
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert organiser.post(address, said(sitting)).status_code == 409
    assert Posting.objects.count() == 1
