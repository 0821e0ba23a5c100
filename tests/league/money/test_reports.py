"""*I've paid* is a row beside the ledger, in no sum, until the payee or an organiser says yes."""

import re
import uuid
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links
from league.clubs.acts import account_data as accounts
from league.clubs.acts import clubs, merges, players
from league.clubs.pages import account_data
from league.models import Audit, Channel, Club, NewsItem, Posting, ReportedPayment, Season
from league.money.acts import postings, reports
from league.money.facts import money, open_debts
from league.money.facts.reports import PaymentReport, refused, unsaid
from league.news.acts import outbox
from league.news.facts.words import message_of
from league.nights.acts import closing
from league.seasons.acts import seasons
from tests.factories import (
    browser_of,
    give_role,
    make_cost,
    make_member,
    make_paid_night,
    make_payment,
    make_user,
    night_link,
    owner_of,
    path_of,
    play,
)
from tests.league.money.test_entered import told
from tests.refusals import refuses
from tests.worlds import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail")]
Outcome = ReportedPayment.Outcome


@made_once
def night():
    """A night after which Mai owes Lan; both have an account."""
    event = make_paid_night(10_000)
    debt = open_debts.of_night(event)[0]
    event.owed, event.debtor, event.creditor = debt.amount, debt.payer.player, debt.payee.player
    event.mai, event.lan = make_user("mai@club.example"), make_user("lan@club.example")
    for user, player in ((event.mai, event.debtor), (event.lan, event.creditor)):
        user.language = "en"
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        give_role(event.season.club, user, "player")
        players.take_player(player=player, user=user)
    return event


def say(night, **fields):
    said = {
        "season": night.season, "event": night, "payer": night.debtor, "payee": night.creditor,
        "amount": night.owed, "by": night.mai, "client_id": uuid.uuid4(),
    }  # fmt: skip
    return reports.report(**said | fields)


def test_a_payment_that_arrived_after_all_is_no_news_any_more(night):
    reports.end(report=say(night), outcome=Outcome.REFUSED, by=night.lan)
    assert len(told(night.mai, "not_received")) == 1
    pair = night.debtor, night.creditor
    make_payment(night.season, *pair, night.owed, event=night, by=night.lan)
    assert told(night.mai, "not_received") == []


def test_a_debt_of_the_list_pair_by_pair_is_one_to_remind_of(night):
    """Mai owes Lan in one game and Lan owes a third in another: by pairs two payments."""
    sitting = night.rounds.get().sittings.get()
    third = next(
        name for name in night.order if name not in (str(night.creditor), str(night.debtor))
    )
    others = [name for name in night.order if name not in (third, str(night.creditor))]
    play(sitting, [third, *others, str(night.creditor)])
    assert open_debts.between(night.season, night, night.debtor, night.creditor) is None
    outbox.remind_of_debt(
        season=night.season, event=night, payer=night.debtor, payee=night.creditor, by=night.lan
    )
    (text,) = told(night.mai, "debt")
    assert text.subject.startswith(f"You still owe {night.creditor} 10,000")


def test_payments_one_by_one_to_others_are_the_yes_together(night):
    """What Mai said to have paid Lan is owed to two others by the time it is noted."""
    sitting = night.rounds.get().sittings.get()
    mai, lan = str(night.debtor), str(night.creditor)
    third, fourth = (name for name in night.order if name not in (mai, lan))
    play(sitting, [lan, third, fourth, mai])
    row = say(night, amount=20_000)
    for first, other in ((third, fourth), (fourth, third)):
        play(sitting, [first, mai, other, lan])
    debts = list(open_debts.of_night(night))
    assert [(str(one.payer), one.amount) for one in debts] == [(mai, 10_000), (mai, 10_000)]
    for debt in debts:
        row.refresh_from_db()
        assert row.outcome == Outcome.OPEN
        pair = debt.payer.player, debt.payee.player
        make_payment(night.season, *pair, debt.amount, event=night)
    row.refresh_from_db()
    assert row.outcome == Outcome.POSTED


def test_a_payers_phone_is_told_of_the_yes_from_another_phone(night):
    """Neither has an account: who said yes is nobody in the entry, and hears nothing of it."""
    since = timezone.now().isoformat()
    reports.confirm(report=say(night), by=None)
    phones = [
        NewsItem(
            kind="entered", club=night.season.club, event=night, channel=Channel(phone="x"),
            data={"season": night.season_id, "since": since, "reader": player.pk},
        )
        for player in (night.debtor, night.creditor)
    ]  # fmt: skip
    of_payer, of_payee = map(message_of, phones)
    assert f"{night.debtor} trả {night.creditor}" in of_payer.lines[1]
    assert of_payee is None


def test_a_key_reports_one_payment(night):
    key = uuid.uuid4()
    said = say(night, client_id=key)
    assert say(night, client_id=key) == said
    for other in ({"amount": 1}, {"event": None}, {"payer": night.creditor}):
        with refuses("key_reused"):
            say(night, client_id=key, **other)


def test_the_log_says_a_report_in_the_unit_of_its_season(night):
    club = Club.objects.get(pk=night.season.club_id)
    clubs.count_in(club=club, unit="¤USD", by=owner_of(club))
    report = say(night, event=None)
    reports.end(report=report, outcome=Outcome.WITHDRAWN, by=night.mai)
    page = browser_of(owner_of(club)).get(path_of(club, "audit"))
    lines = [one.sentence for one in page.context["page"].lines if "paid" in one.sentence]
    assert len(lines) == 2
    assert all("kẹo" in line and "$" not in line for line in lines), lines


def post(night, browser, **fields):
    form = {"event": night.pk, "client_id": uuid.uuid4()}
    return browser.post(path_of(night.season, "payment_report"), form | fields)


def pay_page(night, browser):
    address = path_of(night.season.club, "pay", night.creditor.pk)
    return browser.get(f"{address}?event={night.pk}").content.decode()


def night_page(night, browser):
    return " ".join(browser.get(path_of(night, "event_money")).content.decode().split())


def balances(night):
    return money.net_of(night.money_tallies.all())


def test_a_payer_says_so_on_the_page_that_shows_how_to_pay(night):
    mai, before = browser_of(night.mai), balances(night)
    assert "I've paid" in pay_page(night, mai)  # Also where nobody said how.
    answer = post(night, mai, payee=night.creditor.pk, amount=night.owed)
    assert answer.status_code == 302
    row = ReportedPayment.objects.get()
    assert (row.payer, row.payee, row.event, row.by) == (
        night.debtor, night.creditor, night, night.mai,
    )  # fmt: skip
    assert balances(night) == before
    assert open_debts.of_night(night)[0].amount == night.owed
    page = pay_page(night, mai)
    assert "You said that you paid" in page
    assert "I've paid" not in page


def test_what_waits_for_a_yes_is_not_asked_for_again(night):
    mai, lan = browser_of(night.mai), browser_of(night.lan)
    season = path_of(night.season, "season_money")
    own = (
        (mai, season, 'id="own"'),
        (lan, season, 'id="own"'),
        (mai, path_of(night, "event_money"), "own-amount"),
    )
    for browser, address, part in own:
        assert part in browser.get(address).content.decode(), address
    say(night)
    for browser, address, part in own:
        assert part not in browser.get(address).content.decode(), address
    assert "You said that you paid" in mai.get(season).content.decode()


def test_nobody_is_offered_to_remind_themselves(night):
    club = night.season.club
    give_role(club, night.mai, "organiser")
    keys = [club.slug, night.season_id]
    money, remind = (
        reverse(f"league:{name}", args=keys) for name in ("season_money", "debt_remind")
    )
    for who, is_offered in ((owner_of(club), True), (night.lan, True), (night.mai, False)):
        page = browser_of(who).get(f"{money}?show=all").content.decode()
        assert (remind in page) == is_offered, who


@pytest.mark.parametrize(("reported", "is_asked"), [((60, 20), False), ((60,), True), ((), True)])
def test_reports_of_two_nights_say_together_what_a_season_s_payment_is(reported, is_asked):
    payer, payee = SimpleNamespace(player_id=1), SimpleNamespace(player_id=2)
    payment = SimpleNamespace(payer=payer, payee=payee, amount=80)
    said = [
        PaymentReport(SimpleNamespace(amount=one), SimpleNamespace(pk=1), SimpleNamespace(pk=2))
        for one in reported
    ]
    assert unsaid([payment], said) == ([payment] if is_asked else [])


def test_the_payee_is_asked_and_a_yes_posts_it_once(night):
    row = say(night)
    (text,) = told(night.lan, "reported")
    assert text.subject.startswith(f"{night.debtor} says they paid {night.creditor} ")
    lan = browser_of(night.lan)
    assert "Not received" in night_page(night, lan)
    debtor, creditor = (f"<strong>{name}</strong>" for name in (night.debtor, night.creditor))
    for reader, asked in (
        (night.lan, f"{debtor} says they paid you"),
        (night.mai, f"You said that you paid {creditor}"),
        (owner_of(night), f"{debtor} paid {creditor}?"),
    ):
        assert asked in night_page(night, browser_of(reader))
    assert post(night, lan, report=row.pk, do="yes").status_code == 302
    assert post(night, lan, report=row.pk, do="yes").status_code == 302
    posting = Posting.objects.get(kind="settlement")
    assert (posting.by, posting.event) == (night.lan, night)
    assert not any(
        debt.payer.player == night.debtor and debt.payee.player == night.creditor
        for debt in open_debts.of_night(night)
    )
    assert told(night.lan, "reported") == []
    assert "Not received" not in night_page(night, lan)
    (entered,) = told(night.mai, "entered")
    assert "entered by" in entered.lines[1]


def test_the_payer_reads_of_a_no_until_it_is_paid_or_said_again(night):
    pages = [
        path_of(night.season.club, "pay", night.creditor.pk) + f"?event={night.pk}",
        reverse("league:my_night", args=[night.pk]),
    ]

    def read():
        got = [browser_of(night.mai).get(page, follow=True).content.decode() for page in pages]
        return ["“not received” was answered" in page for page in got]

    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    assert read() == [False, False]
    reports.end(report=say(night), outcome=Outcome.REFUSED, by=night.lan)
    assert read() == [True, True]
    again = say(night)
    assert read() == [False, False]
    reports.end(report=again, outcome=Outcome.REFUSED, by=night.lan)
    pair = night.debtor, night.creditor
    make_payment(night.season, *pair, night.owed, event=night, by=night.lan)
    assert refused(night.season, night.debtor) == {}


def test_a_no_is_told_to_the_payer_who_may_say_it_again(night):
    row = say(night)
    assert post(night, browser_of(night.lan), report=row.pk, do="no").status_code == 302
    (text,) = told(night.mai, "not_received")
    assert text.subject.startswith(f"{night.creditor} has not received ")
    assert not Posting.objects.filter(kind="settlement").exists()
    with pytest.raises(ValidationError, match="already answered"):
        reports.confirm(report=row, by=night.lan)
    assert say(night).pk != row.pk


def test_an_organiser_answers_for_who_has_no_account(night):
    players.unlink_account(player=night.creditor, by=owner_of(night))
    organiser = make_member(night.season.club, "organiser")
    EmailAddress.objects.create(user=organiser, email=organiser.email, verified=True, primary=True)
    row = say(night)
    assert NewsItem.objects.filter(kind="reported", user=organiser).exists()
    post(night, browser_of(organiser), report=row.pk, do="yes")
    assert Posting.objects.get(kind="settlement").by == organiser


def test_only_the_payer_withdraws_and_only_payee_or_organiser_answers(night):
    row = say(night)
    other = browser_of(make_member(night.season.club, "scorer"))
    assert "Not received" not in night_page(night, other)
    for browser, do in [(other, "yes"), (other, "no"), (other, "withdraw"),
                        (browser_of(night.mai), "yes"), (browser_of(night.mai), "no"),
                        (browser_of(night.lan), "withdraw")]:  # fmt: skip
        assert post(night, browser, report=row.pk, do=do).status_code == 404
    assert post(night, other, payee=night.creditor.pk, amount=night.owed).status_code == 404
    assert post(night, browser_of(make_user()), report=row.pk, do="yes").status_code == 404
    row.refresh_from_db()
    assert row.outcome == Outcome.OPEN
    assert post(night, browser_of(night.mai), report=row.pk, do="withdraw").status_code == 302
    row.refresh_from_db()
    assert (row.outcome, row.posting) == (Outcome.WITHDRAWN, None)


def test_nobody_says_more_than_is_open_nor_twice(night):
    for amount in (night.owed + 1, night.owed - 1, 0):
        with pytest.raises(ValidationError, match="just changed"):
            say(night, amount=amount)
    with pytest.raises(ValidationError, match="who pays whom has changed"):
        say(night, payer=night.creditor, payee=night.debtor, by=night.lan)
    assert say(night) == say(night)
    with pytest.raises(IntegrityError), transaction.atomic():
        ReportedPayment.objects.create(
            season=night.season, payer=night.debtor, payee=night.creditor, amount=1,
            client_id=uuid.uuid4(),
        )  # fmt: skip


def test_what_an_organiser_books_is_the_yes(night):
    row, by = say(night), owner_of(night)
    shared = {"season": night.season, "event": night, "by": by}
    pair = {"payer": night.debtor, "payee": night.creditor}
    postings.settle(amount=night.owed - 1, client_id=uuid.uuid4(), **pair, **shared)
    row.refresh_from_db()
    assert row.outcome == Outcome.OPEN  # A part is not what was said.
    found = postings.settle(amount=night.owed, client_id=uuid.uuid4(), **pair, **shared)
    row.refresh_from_db()
    assert (row.outcome, row.posting) == (Outcome.POSTED, found)


def test_all_paid_is_the_yes_though_the_fewest_payments_name_another(night):
    """Pair by pair the debtor owes the creditor, who owes the third: the fewest leave one out."""
    by, (first, _second, third, last) = owner_of(night), night.order
    play(night.rounds.get().sittings.get(), [third, last, night.order[1], first])
    [debt] = open_debts.of_night(night)
    assert (str(debt.payer), str(debt.payee)) == (last, third)
    row = say(night)
    shared = {"season": night.season, "event": night, "amount": debt.amount, "by": by}
    found = postings.settle_open(which=open_debts.Which(), client_id=uuid.uuid4(), **shared)
    row.refresh_from_db()
    assert (row.outcome, row.posting) == (Outcome.POSTED, found)
    assert reports.confirm(report=row, by=night.lan) == found
    assert list(open_debts.of_season(night.season)) == []


def test_a_phone_with_the_name_says_so_and_answers_on_its_page(night):
    by = owner_of(night)
    for player in (night.debtor, night.creditor):
        players.unlink_account(player=player, by=by)
    links.renew_for_night(event=night, by=by)
    address = night_link(night)
    phones = {night.debtor: Client(), night.creditor: Client()}
    for player, phone in phones.items():
        phone.post(address, {"me": player.pk})
    closing.close_event(event=night, by=by, despite_unfinished=True)
    Club.objects.update(is_public=False)
    page = phones[night.debtor].get(address).content.decode()
    assert "I've paid" in page
    form = {"payee": night.creditor.pk, "amount": night.owed, "client_id": uuid.uuid4()}
    phones[night.debtor].post(address, form)
    row = ReportedPayment.objects.get()
    assert row.by is None
    assert "Not received" in phones[night.creditor].get(address).content.decode()
    phones[night.creditor].post(address, {"report": row.pk, "do": "yes"})
    posting = Posting.objects.get(kind="settlement")
    assert posting.by is None
    log = browser_of(by).get(path_of(night.season.club, "audit"))
    assert "Someone with that phone recorded that" in log.content.decode()


def test_the_nights_page_asks_the_payee_by_itself_until_all_is_paid(night):
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    browser = browser_of(night.lan)
    asks = browser.get(night_link(night)).context["page"].news_at
    assert browser.get(asks).status_code == 204
    reported = say(night)
    heard = browser.get(asks)
    assert "Not received" in heard.content.decode()
    asks = heard.context["page"].news_at
    reports.confirm(report=reported, by=night.lan)
    assert browser.get(asks).context["page"].news_at == ""


def test_tonight_and_me_lead_to_the_answer(night):
    say(night)
    for address in ("/", reverse("me")):
        page = browser_of(night.lan).get(address).content.decode()
        assert f"{night.debtor} says they paid you" in page, address
        assert (
            f"You said you paid {night.creditor}"
            in browser_of(night.mai).get(address).content.decode()
        )


def test_debts_of_a_closed_season_are_told_and_paid(night):
    season, by = night.season, owner_of(night)
    closing.close_event(event=night, by=by, despite_unfinished=True)
    seasons.set_status(season=season, status=Season.Status.CLOSED, by=by)
    night.refresh_from_db()
    mine = browser_of(night.mai).get(reverse("me")).content.decode()
    assert season.name in mine
    assert str(night.creditor) in mine
    posting = reports.confirm(report=say(night), by=night.lan)
    host = browser_of(by)
    host.post(path_of(season, "posting_reverse", posting.pk), {"client_id": uuid.uuid4()})
    (form,) = re.findall(
        rf"<form[^>]*{reverse('league:settle', args=[season.club.slug, season.pk])}.*?</form>",
        host.get(path_of(season, "season_money")).content.decode(),
        re.DOTALL,
    )
    fields = dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', form))
    told = host.post(path_of(season, "settle"), fields, follow=True).content.decode()
    assert "Undo" in told
    assert not open_debts.of_season(season)
    with refuses("closed"):
        make_cost(season, [night.debtor], 10)


def test_the_log_and_the_data_file_have_it(night):
    row = say(night)
    reports.end(report=row, outcome=Outcome.WITHDRAWN, by=night.mai)
    actions = Audit.objects.filter(action__startswith="posting.report")
    assert set(actions.values_list("action", flat=True)) == {
        "posting.reported", "posting.report_withdrawn",
    }  # fmt: skip
    data = account_data.everything(night.lan)
    (mine,) = data["players"]
    assert [one["outcome"] for one in mine["reported_payments"]] == ["withdrawn"]


def test_after_a_merge_the_yes_is_for_who_plays_under_the_name(night):
    row, by = say(night), owner_of(night)
    into = players.add_player(club=night.season.club, name="Cô Lan", by=by)
    merges.merge(alias=night.creditor, into=into, by=by)
    assert "Not received" in night_page(night, browser_of(night.lan))
    assert post(night, browser_of(night.lan), report=row.pk, do="yes").status_code == 302
    row.refresh_from_db()
    assert row.outcome == Outcome.POSTED


def test_programs_read_and_answer(night, client):
    row = say(night)
    base = f"/api/v1/clubs/{night.season.club.slug}/seasons/{night.season_id}/reported-payments/"
    lan = browser_of(night.lan)
    (found,) = lan.get(base).json()["results"]
    assert (found["id"], found["amount"], found["payer"]) == (row.pk, night.owed, night.debtor.pk)
    assert lan.post(f"{base}{row.pk}/", {"received": True}, "application/json").status_code == 403
    owner = browser_of(owner_of(night))
    yes = owner.post(f"{base}{row.pk}/", {"received": True}, "application/json")
    assert yes.status_code == 204
    no = owner.post(f"{base}{row.pk}/", {"received": False}, "application/json")
    assert no.status_code == 409


def test_who_erases_the_account_leaves_the_row(night):
    row = say(night)
    accounts.erase_person(user=night.mai)
    assert ReportedPayment.objects.filter(pk=row.pk).exists()
