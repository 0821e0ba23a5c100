"""The night's page of money: the own payment first, then the picture and every payment."""

import uuid

import pytest
from django.core.paginator import Paginator
from django.test import Client
from django.urls import reverse

from league.clubs.acts import players
from league.models import Account, Event, NewsItem
from league.money.acts import payment_ways, postings
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.money.facts.open_debts import Which
from league.money.pages.night_money import LEAST, flow_of, night_money
from league.money.views import money as money_views
from league.nights.acts import clock, closing
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_paid_night,
    make_payment,
    make_round,
    make_season,
    make_table,
    make_user,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def night():
    return make_paid_night(10_000)


@pytest.fixture
def debt(night):
    [found] = open_debts.of_night(night)
    return found


def page_of(client, night):
    return client.get(path_of(night, "event_money")).content.decode()


def signed_in(night, player) -> Client:
    """A browser of a member who is this player."""
    user = make_member(night.season.club, "player")
    players.take_player(player=player, user=user)
    return browser_of(user)


def test_who_owes_sees_the_own_payment_with_a_code_before_everything_else(night, debt):
    client = signed_in(night, debt.payer.player)
    Event.objects.filter(pk=night.pk).update(date=night.season.club.today)
    payee = make_user("payee@club.example")
    players.take_player(player=debt.payee.player, user=payee, shows_ways=True)
    payment_ways.leave(
        user=payee, bank="970422", number="9704229999001122", holder="NGUYEN VAN A", words=""
    )
    shown = page_of(client, night)
    own = shown[shown.index('id="own-payment"') :]
    head = shown[shown.index("own-payment") : shown.index('id="settle"')]
    assert ("So far you pay" in head, f"<strong>{debt.payee}</strong>" in head) == (True, False)
    assert f"{debt.payee} {debt.amount // 1000}k" in " ".join(head.split())
    assert shown.count(f"pay <strong>{debt.payee}</strong>") == 1, "in its row, and only there"
    assert "<strong>You</strong>" in shown
    assert ("if it ended now" in own, filled(shown), "qr-frame" in shown) == (True, 0, False)
    pay = f"{path_of(night.season.club, 'pay', debt.payee.player_id)}?event={night.pk}"
    assert shown.count(pay) == 1, "in its row, for who leaves early"
    assert own.index('<li class="own">') < own.index(pay)
    assert "if it ended now" in shown
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    shown = page_of(client, night)
    own = shown[shown.index('id="own-payment"') :]
    assert f"you pay <strong>{debt.payee}</strong>" in own
    assert ("if it ended now" in shown, filled(shown)) == (False, 1)
    assert "if it ended now" not in shown
    assert shown.index('class="qr-frame"') < shown.index('id="settle"') < shown.index('id="flow"')
    assert "…1122" in shown
    assert "9704229999001122" not in shown
    assert shown.count(pay) == 1, "in the panel above, and not once more in its row"
    assert own.index(pay) < own.index("</section>")


def test_each_open_payment_is_marked_as_paid_in_the_same_words():
    """Beside a button for all of them, too."""
    night = make_night(8, stake=10_000)
    for table in make_round(night).sittings.all():
        play(table)
    put_to_yesterday(night.season)
    shown = page_of(browser_of(owner_of(night)), night)
    rows = shown.split('class="rows payments"')[1].split("</ul>")[0]
    assert len(open_debts.of_night(night)) > 1
    assert ("All have paid" in shown, "All have paid" in rows) == (True, False)
    assert rows.count("Mark as paid") == len(open_debts.of_night(night))


def test_of_many_payments_ones_own_are_on_the_first_page(monkeypatch):
    night = make_night(8, stake=10_000)
    for table in make_round(night).sittings.all():
        play(table)
    payments = open_debts.of_night(night)
    last = payments[-1].payee
    assert last != payments[0].payee
    client = signed_in(night, last.player)
    monkeypatch.setattr(money_views, "Paginator", lambda items, most: Paginator(items, 1))
    pages = [
        client.get(path_of(night, "event_money"), {"payment": number}).content.decode()
        for number in range(1, len(payments) + 1)
    ]
    rows = [page.split('class="rows payments"')[1].split("</ul>")[0] for page in pages]
    assert "pays <strong>you</strong>" in rows[0]
    you = {str(last): "you"}
    names = [
        (str(payment.payer), you.get(str(payment.payee), str(payment.payee)))
        for payment in payments
    ]
    found = [
        next(pair for pair in names if all(f"<strong>{one}</strong>" in row for one in pair))
        for row in rows
    ]
    assert sorted(found) == sorted(names), "each once"


def test_who_receives_reads_how_much_and_from_whom_before_the_list(night, debt):
    Event.objects.filter(pk=night.pk).update(date=night.season.club.today)
    client = signed_in(night, debt.payee.player)
    gets = [one for one in open_debts.of_night(night) if one.payee == debt.payee]
    for closed in (False, True):
        if closed:
            closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
        shown = page_of(client, night)
        own = shown[shown.index("own-payment") : shown.index('id="settle"')]
        assert f"{sum(one.amount for one in gets):,}" in own
        assert ("So far you get" in own, "You are still owed" in own) == (not closed, closed)
        rows = shown.count("pays <strong>you</strong>")
        lines = [own.count(f"<strong>{one.payer}</strong> pays you") for one in gets]
        assert (rows, lines) == (1, [int(closed)])


def test_the_clock_of_the_round_counts_on_beside_the_money_until_the_night_is_closed(night):
    owner = owner_of(night)
    client = browser_of(owner)
    assert "data-clock" not in page_of(client, night)
    clock.start(round_=night.rounds.latest("number"), minutes=40, by=owner)
    shown = page_of(client, night)
    assert ("data-clock=" in shown, "js/clock.js" in shown) == (True, True)
    closing.close_event(event=night, by=owner, despite_unfinished=True)
    assert "data-clock" not in page_of(client, night)


def test_a_reminder_waits_for_the_end_of_the_night(night, debt):
    players.take_player(player=debt.payer.player, user=make_user("payer@club.example"))
    client = signed_in(night, debt.payee.player)
    Event.objects.filter(pk=night.pk).update(date=night.season.club.today)
    asks = path_of(night.season, "debt_remind")
    assert asks not in page_of(client, night)
    pair = {"event": night.pk, "payer": debt.payer.player_id, "payee": debt.payee.player_id}
    told = client.post(asks, pair, follow=True).content.decode()
    assert "Games still change who pays whom." in told
    assert not NewsItem.objects.filter(kind="debt").exists()
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    assert asks in page_of(client, night)
    told = client.post(asks, pair, follow=True).content.decode()
    assert f"{debt.payer} gets no news. Tell them yourself." in told


def test_only_who_has_one_name_is_you():
    none = Paginator([], 1).page(1)
    found = [
        money_views.Settling(none, none, uuid.uuid4(), own=own).you for own in ((), (7,), (7, 8))
    ]
    assert found == [None, 7, None]


def filled(page):
    return page[page.index("<main") : page.index("</main>")].count("btn-primary")


def test_who_owes_nothing_sees_no_own_payment_and_a_grey_picture(night):
    shown = page_of(browser_of(make_member(night.season.club, "player")), night)
    assert 'id="own-payment"' not in shown
    assert '<path class="own"' not in shown
    assert 'class="chart flow"' in shown


def test_what_was_paid_stays_in_the_picture_and_leaves_what_is_open(night, debt):
    by = owner_of(night)
    before = night_money(night, [debt], ())
    posting = postings.settle_open(
        season=night.season, event=night, amount=debt.amount, by=by, client_id=uuid.uuid4(),
        which=Which(debt.payer.player_id, debt.payee.player_id),
    )  # fmt: skip
    after = night_money(night, open_debts.of_night(night), ())
    assert after.paid == [debt]
    assert (before.left, after.left) == (10_000, 0)
    assert (before.total, after.total) == (10_000, 10_000)
    (was,), (now,) = before.flow.ribbons, after.flow.ribbons
    assert (was.path, was.is_paid, now.is_paid) == (now.path, False, True)
    assert [end.amount for end in before.flow.payers + before.flow.payees] == [-10_000, 10_000]
    assert [end.amount for end in after.flow.payers + after.flow.payees] == [0, 0]

    def told(*own):
        return night_money(night, open_debts.of_night(night), own).done

    assert told(debt.payer.player_id) == "You have paid everything of this night."
    assert told(debt.payee.player_id) == "You have received everything of this night."
    assert told() == "" == night_money(night, [debt], (debt.payer.player_id,)).done
    postings.reverse(posting=posting, by=by, client_id=uuid.uuid4())
    assert night_money(night, [debt], ()).paid == []


def test_an_organiser_who_has_paid_reads_first_what_others_owe():
    night = make_night(8, season=make_season(rules="killa"), stake=10_000)
    for sitting in make_round(night).sittings.all():
        play(sitting)
    put_to_yesterday(night.season)
    host, (debt, other) = owner_of(night), open_debts.of_night(night)
    players.take_player(player=debt.payer.player, user=host)
    which = Which(debt.payer.player_id, debt.payee.player_id)
    postings.settle_open(
        season=night.season, event=night, amount=debt.amount, by=host, client_id=uuid.uuid4(),
        which=which,
    )  # fmt: skip
    told, left = "You have paid everything of this night.", "10k of 20k left"
    page = page_of(browser_of(host), night)
    assert (page.count(told), page.count("message success")) == (0, 0), "the row says it: paid"
    assert page.index(left) < page.index(str(other.payer)), "one line, at the top"
    player = make_user("player@club.example")
    players.unlink_account(player=debt.payer.player, by=host)
    players.take_player(player=debt.payer.player, user=player)
    page = page_of(browser_of(player), night)
    assert page.index(f'<p class="message success">{told}') < page.index(left)
    assert page.index(left) < page.index('href="#postings"') < page.index('id="postings"'), (
        "what is paid leads to who noted it, and to its undo"
    )


def test_every_person_of_the_picture_has_room_and_own_ribbons_lie_on_top(night):
    accounts = list(Account.objects.filter(club=night.season.club).select_related("player"))
    a, b, c, d = [account for account in accounts if account.player][:4]
    a.player.name = "Nguyễn Thị Thanh Xuân"
    flow = flow_of(
        [OwedPayment(a, b, 900_000), OwedPayment(a, c, 10), OwedPayment(d, c, 10)], {d.player_id}
    )
    assert [end.account for end in flow.payers] == [a, d]
    assert [end.amount for end in flow.payees] == [900_000, 20]
    for side in (flow.payers, flow.payees):
        assert side[1].y - side[0].y >= LEAST
    assert " ".join(line for _y, line in flow.payers[0].lines) == "Nguyễn Thị Thanh Xuân"
    assert [ribbon.is_own for ribbon in flow.ribbons] == [False, False, True]


def test_the_total_of_the_zero_sum_check_is_that_of_its_rows(night, debt):
    """Games won by one and lost by another are not set off in it, nor are payments."""
    season, by = night.season, owner_of(night)
    table = make_table(night)
    play(table, [*reversed(night.order)])
    pair = {"payer": debt.payer.player, "payee": debt.payee.player}
    make_payment(season, amount=1, event=night, by=by, **pair)
    at = [season.club.slug]
    for name, key in (("event_money", night.pk), ("season_money", season.pk)):
        address = reverse(f"league:{name}", args=[*at, key])
        sums = browser_of(by).get(address, {"show": "all"}).context["zero_sums"]
        assert sums.whole.won == sum(part.won for part in sums.parts) > 0, name
        assert sums.whole.difference == 0
