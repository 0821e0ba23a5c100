"""One tap settles a debt: of a night, over the season, of one person, and never twice."""

import contextlib
import datetime
import random
import uuid

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from league.base.forms import mark_of
from league.clubs.acts import players
from league.models import Posting
from league.money.acts import postings
from league.money.facts import money, open_debts
from league.money.facts.open_debts import Which
from league.nights.acts import closing
from league.proof.facts import verify
from league.seasons.pages import player_page
from tests.factories import (
    browser_of,
    make_club,
    make_cost,
    make_member,
    make_night,
    make_paid_night,
    make_season,
    make_table,
    names_at,
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


def open_in(event):
    return [(str(p.payer), str(p.payee), p.amount) for p in open_debts.of_night(event)]


def open_over(season):
    return [(str(p.payer), str(p.payee), p.amount) for p in open_debts.of_season(season)]


def keys(payment):
    return Which(open_debts.key_of(payment.payer), open_debts.key_of(payment.payee))


def tap(event, which, amount, *, season=None, client_id=None):
    """What a tap on the page of the night books, or on the page of the season."""
    season_of = season or event.season
    return postings.settle_open(
        season=season_of,
        event=None if season else event,
        which=which,
        amount=amount,
        by=owner_of(season_of),
        client_id=client_id or uuid.uuid4(),
    )


def send(client, event, *, on="night", **fields):
    """The form of one tap on the page of a night or of its season, as the page has it."""
    address = path_of(event.season, "settle")
    scope = {"event": event.pk} if on == "night" else {}
    return client.post(address, {"client_id": uuid.uuid4()} | scope | fields, follow=True)


def test_a_part_is_paid_to_the_club_and_by_it(client, night):
    season, club, by = night.season, night.season.club, owner_of(night)
    [debt, *_] = open_debts.of_night(night)
    guest = players.add_player(club=club, name="Hải", by=by)
    postings.charge_fee(
        players=[guest], season=season, event=night, amount=50_000, by=by, client_id=uuid.uuid4()
    )
    client.force_login(by)
    shown = client.get(path_of(season, "season_money"))
    owed = next(one for one in open_debts.of_season(season) if one.payee.player is None)
    query = owed.query.replace("&", "&amp;")
    assert query in shown.content.decode()
    form = path_of(season, "posting_create", "settlement")
    page = client.get(f"{form}?{owed.query}")
    fields = {n: page.context["form"][n].value() or "" for n in page.context["form"].fields}
    paid = fields | {"amount": "20.000"}
    assert client.post(form, paid).status_code == 302
    left = {(str(one.payer), str(one.payee)): one.amount for one in open_debts.of_season(season)}
    assert left["Hải", club.name] == 30_000
    assert (str(debt.payer), str(debt.payee)) in left
    more = client.post(form, paid | {"client_id": uuid.uuid4(), "amount": "40.000"})
    assert f"more than Hải owes {club.name}" in more.content.decode()
    back = {"payer": club.name.upper(), "payee": "Hải", "client_id": uuid.uuid4()}
    asked = client.post(form, fields | back | {"amount": "5.000"})
    assert f"more than {club.name} owes Hải" in asked.content.decode()


@pytest.mark.parametrize("on", ["night", "season"])
def test_one_tap_settles_the_night_the_season_and_both_people(client, night, on):
    client.force_login(make_member(night.season.club, "organiser"))
    [debt] = open_debts.of_night(night)
    page = send(client, night, on=on, payer=debt.payer.player_id, payee=debt.payee.player_id,
                amount=10_000)  # fmt: skip
    assert page.status_code == 200
    assert (open_in(night), open_over(night.season)) == ([], [])
    assert Posting.objects.get().event == night
    for account in (debt.payer, debt.payee):
        assert open_debts.of_person(player_page.keys_of(account.player), night.season) == 0
        address = path_of(night.season.club, "player", account.player_id)
        assert "still open" not in client.get(address).content.decode()
    shown = page.content.decode()
    assert f"{debt.payer} paid {debt.payee} 10,000 kẹo." in shown
    assert "Nobody owes anything." in shown


@pytest.mark.parametrize("on", ["night", "season"])
def test_the_page_notes_cash_or_transfer_for_each_tap_until_told_otherwise(client, night, on):
    """The choice stays for the next tap; the treasurer reads it in the ledger and on the sheet."""
    client.force_login(make_member(night.season.club, "organiser"))
    [debt] = open_debts.of_night(night)
    address = path_of(night.season, "season_money")
    if on == "night":
        address = path_of(night, "event_money")
    plain = client.get(address, {"show": "all"}).content.decode()
    assert ('href="?how=cash"' in plain, 'name="how"' in plain) == (True, False)
    assert 'name="how" value="cash"' in client.get(address, {"how": "cash"}).content.decode()
    assert 'name="how"' not in client.get(address, {"how": "gold"}).content.decode()
    page = send(client, night, on=on, payer=debt.payer.player_id, payee=debt.payee.player_id,
                amount=10_000, how="cash")  # fmt: skip
    assert page.redirect_chain[-1][0] == f"{address}?how=cash"
    assert Posting.objects.get().note == "in cash"
    assert ": in cash" in client.get(address, {"show": "all"}).content.decode()


def test_how_a_payment_was_made_is_said_in_the_readers_language(night):
    club, first, last = night.season.club, night.order[0], night.order[3]
    writer = Client(headers={"Accept-Language": "vi"})
    part = {"how": "transfer", "note": "ở quán"}
    assert pay_by_form(writer, night, last, first, "4.000", **part).status_code == 302
    [debt] = open_debts.of_night(night)
    send(writer, night, payer=debt.payer.player_id, payee=debt.payee.player_id, amount=6_000,
         how="cash")  # fmt: skip
    assert open_in(night) == []
    ledger = path_of(night.season, "season_money")
    for path in (f"{ledger}?show=all", path_of(club, "audit")):
        for language, said in (
            ("en", ("in cash", "by transfer; ở quán")),
            ("vi", ("tiền mặt", "chuyển khoản; ở quán")),
        ):
            page = writer.get(path, headers={"Accept-Language": language}).content.decode()
            assert all(text in page for text in said), (path, language)


def test_the_message_undoes_the_tap(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    [debt] = open_debts.of_night(night)
    before = open_in(night)
    posting = tap(night, keys(debt), 10_000)
    address = path_of(night.season, "posting_reverse", posting.pk)
    page = client.post(address, {"client_id": uuid.uuid4(), "event": night.pk}, follow=True)
    assert page.redirect_chain[-1][0].endswith(f"/events/{night.pk}/money/")
    assert open_in(night) == before == open_over(night.season)


def test_what_is_no_longer_open_is_refused_in_words(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    [debt] = open_debts.of_night(night)
    fields = {"payer": debt.payer.player_id, "payee": debt.payee.player_id}
    page = send(client, night, amount=7, **fields).content.decode()
    assert "Someone has just changed this. 10,000 kẹo is left to pay." in page
    send(client, night, amount=10_000, **fields)
    page = send(client, night, amount=10_000, **fields).content.decode()
    assert "This was paid, or who pays whom has changed. See what is still owed." in page
    assert Posting.objects.count() == 1


def test_a_tap_sent_twice_is_booked_once(night):
    [debt] = open_debts.of_night(night)
    key = uuid.uuid4()
    first, second = (tap(night, keys(debt), 10_000, client_id=key) for _ in range(2))
    assert first == second


def test_all_of_a_person_and_all_of_a_night(client, night):
    sitting = night.rounds.get().sittings.get()
    a, b, c, d = night.order
    play(sitting, [b, a, d, c])
    postings.charge_fee(
        season=night.season, event=night, players=[p.player for p in night.entrants.all()],
        amount=3, by=owner_of(night), client_id=uuid.uuid4(),
    )  # fmt: skip
    found = open_debts.of_night(night)
    several = next(iter(open_debts.by_person(found)))
    client.force_login(make_member(night.season.club, "organiser"))
    page = client.get(path_of(night, "event_money"), {"show": "all"}).content.decode()
    assert ('name="person"' in page, 'name="way"' in page) == (True, False)
    tap(night, Which(person=several.key), several.amount)
    assert all(str(several.person) not in line[:2] for line in open_in(night))
    rest = open_debts.of_night(night)
    if rest:
        tap(night, Which(), sum(each.amount for each in rest))
    assert (open_in(night), open_over(night.season)) == ([], [])


def test_a_night_of_a_season_that_is_even_lists_nothing(night):
    """Two nights cancel, or the season was paid as a whole: nobody is asked again."""
    make_table(make_night(season=night.season, stake=10_000), games=1)
    put_to_yesterday(night.season)
    found = open_debts.of_season(night.season)
    tap(None, Which(), sum(each.amount for each in found), season=night.season)
    assert [open_in(event) for event in night.season.events.all()] == [[], []]


def test_the_shared_text_has_amounts_in_the_readers_notation(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    client.cookies["django_language"] = "vi"
    text = client.get(path_of(night, "event_share")).content.decode()
    debt = f"{night.order[3]} → {night.order[0]}: 10.000"
    assert debt in text
    picture = text.split('<img class="picture"')[1].split(">")[0]
    assert "lazy" not in picture
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    page = client.get(path_of(night, "event"))
    assert debt in page.context["night"].group
    assert "data-copy" in page.content.decode()
    stranger = Client().get(path_of(night, "event"))
    assert debt not in stranger.content.decode()


def test_a_cost_of_a_night_without_a_stake_is_in_its_text_and_on_its_page(client):
    """Whoever has laid out the evening's food asks for it in the group's chat."""
    sitting = make_table(make_night(season=make_season(make_club(is_public=False))), games=1)
    event, by = sitting.round.event, owner_of(sitting)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    tab = path_of(event, "event_money")
    client.force_login(by)
    page = path_of(event, "event")
    assert tab not in client.get(page).content.decode()
    bearers = [entrant.player for entrant in event.entrants.order_by("pk")]
    make_cost(event.season, bearers, 40, event=event, paid_by=bearers[0])
    debt = f"{bearers[1].name} → {bearers[0].name}: 10"
    text = client.get(path_of(event, "event_share")).context["text"]
    assert debt in text
    assert "(+0" not in text
    shown = client.get(page)
    assert debt in shown.context["night"].group
    assert tab in shown.content.decode()
    recap = client.get(path_of(event, "recap"))
    assert len(recap.context["payments"]) == 3


@pytest.mark.parametrize(("bearers", "shown"), [(7, 6), (8, 3)])
def test_a_season_shows_six_payments_at_once_and_three_of_more(bearers, shown):
    night = make_night(bearers)
    people = [entrant.player for entrant in night.entrants.order_by("pk")]
    make_cost(night.season, people, 10 * bearers, event=night, paid_by=people[0])
    put_to_yesterday(night.season)
    page = browser_of(owner_of(night)).get(path_of(night.season, "season_money"))
    assert len(page.context["payments"]) == shown
    assert ("All 7 payments" in page.content.decode()) is (shown == 3)


@pytest.mark.parametrize("on", ["night", "season"])
def test_the_page_offers_each_debt_with_its_own_key(client, night, on):
    client.force_login(make_member(night.season.club, "organiser"))
    address = path_of(night.season, "season_money")
    if on == "night":
        address = path_of(night, "event_money")
    page = client.get(address)
    [debt] = page.context["payments"]
    assert f'value="{debt.client_id}"' in page.content.decode()


@pytest.mark.parametrize("role", ["scorer", "player"])
def test_only_organisers_settle(client, night, role):
    client.force_login(make_member(night.season.club, role))
    [debt] = open_debts.of_night(night)
    page = send(client, night, payer=debt.payer.player_id, payee=debt.payee.player_id,
                amount=10_000)  # fmt: skip
    assert page.status_code == 403
    assert len(open_in(night)) == 1


def test_a_part_is_paid_by_the_form_which_knows_the_night(client, night):
    client.force_login(make_member(night.season.club, "organiser"))
    page = client.get(path_of(night, "event_money")).content.decode()
    assert f"&amp;event={night.pk}" in page
    address = path_of(night.season, "posting_create", "settlement")
    form = client.get(address, {"event": night.pk, "amount": 10_000}).context["form"]
    assert str(form["event"].value()) == str(night.pk)
    fields = {"payer": night.order[3], "payee": night.order[0], "amount": 4_000, "event": night.pk,
              "how": "transfer", "note": "", "client_id": uuid.uuid4()}  # fmt: skip
    assert client.post(address, fields).status_code == 302
    assert open_in(night) == [(night.order[3], night.order[0], 6_000)]
    assert Posting.objects.get().note == "by transfer"
    rest = fields | {"amount": 6_000, "client_id": uuid.uuid4()}
    for _ in range(2):  # A retry asks nothing about what it has just paid.
        assert client.post(address, rest).status_code == 302
    assert Posting.objects.count() == 2


@pytest.mark.parametrize("seed", range(8))
def test_night_and_season_agree_whatever_is_played_paid_and_taken_back(night, seed):
    """The nights and what belongs to none of them always come to the season, person by person."""
    draw = random.Random(seed)
    season, by = night.season, owner_of(night)
    second = make_table(make_night(season=season, stake=3_000))
    sittings = [night.rounds.get().sittings.get(), second]
    for _ in range(14):
        event = draw.choice([sitting.round.event for sitting in sittings])
        debts = list(draw.choice([open_debts.of_night(event), open_debts.of_season(season)]))
        done = Posting.objects.filter(reverses=None, posting=None)
        match draw.choice(["play", "tap", "tap", "season", "back"]):
            case "play":
                sitting = draw.choice(sittings)
                names = names_at(sitting)
                if sitting.results.count() == 4:
                    continue
                play(sitting, draw.sample(names, len(names)))
            case "tap" if debts:
                debt = draw.choice(debts)
                with contextlib.suppress(ValidationError):  # A debt of the season is stale here.
                    tap(event, keys(debt), debt.amount)
            case "season" if found := open_debts.of_season(season):
                which, amount = draw.choice(
                    [(Which(), sum(d.amount for d in found)), (keys(found[0]), found[0].amount)]
                )
                tap(None, which, amount, season=season)
            case "back" if done:
                postings.reverse(posting=draw.choice(list(done)), by=by, client_id=uuid.uuid4())
        _assert_agreement(season)
    assert list(verify.stored_sums()) == []


def _assert_agreement(season):
    whole = {
        str(b.account): b.amount for b in money.money_page(money.sums_of_season(season)).balances
    }
    parts: dict[str, int] = {}
    for part in [*season.events.all(), None]:
        sums = money.sums_of_season(season).filter(event=part)
        for balance in money.money_page(sums).balances:
            parts[str(balance.account)] = parts.get(str(balance.account), 0) + balance.amount
    assert {k: v for k, v in parts.items() if v} == {k: v for k, v in whole.items() if v}
    assert sum(whole.values()) == 0
    if not any(whole.values()):
        assert not any(open_in(event) for event in season.events.all())


def test_each_may_pay_each_and_the_night_is_as_even_as_by_the_fewest(client):
    """C owes A in one game and A owes B in another: by pairs two payments, else C pays B."""
    sitting = make_table(make_night(4, rules="killa", stake=10_000))
    event = sitting.round.event
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, d, c])
    play(sitting, [b, c, d, a])
    assert open_in(event) == [(c, b, 10_000)]
    pairs = {(str(p.payer), str(p.payee), p.amount) for p in open_debts.of_night(event, each=True)}
    assert pairs == {(c, a, 10_000), (a, b, 10_000)}
    client.force_login(make_member(event.season.club, "organiser"))
    address = path_of(event, "event_money")
    assert 'name="way"' not in client.get(address).content.decode()
    shown = client.get(address, {"way": "each"})
    assert len(shown.context["payments"]) == 2
    for payment in shown.context["payments"]:
        page = send(
            client, event, way="each", amount=payment.amount,
            payer=payment.payer.player_id, payee=payment.payee.player_id,
        )  # fmt: skip
        assert page.redirect_chain[-1][0] == f"{address}?way=each"
    assert (open_in(event), open_over(event.season)) == ([], [])
    assert list(open_debts.of_night(event, each=True)) == []
    assert list(verify.everything(event.season.club)) == []


def pay_by_form(client, night, payer, payee, amount, **more):
    client.force_login(make_member(night.season.club, "organiser"))
    fields = {"payer": payer, "payee": payee, "amount": amount, "event": night.pk, "note": "",
              "client_id": uuid.uuid4()}  # fmt: skip
    return client.post(path_of(night.season, "posting_create", "settlement"), fields | more)


def sure_of(answer):
    return mark_of(answer.context["form"].fields["amount"].widget.question)


def test_a_payment_larger_than_the_debt_says_what_it_turns_into_and_asks(client, night):
    first, _second, _third, last = night.order
    asked = pay_by_form(client, night, last, first, "15.000")
    assert asked.status_code == 422
    page = asked.content.decode()
    assert f"This is 5,000 kẹo more than {last} owes {first}." in page
    assert f"{first} will then owe {last} 5,000 kẹo." in page
    assert not Posting.objects.exists()
    sure = {"amount-sure": sure_of(asked)}
    assert pay_by_form(client, night, last, first, "16.000", **sure).status_code == 422
    assert pay_by_form(client, night, last, first, "15.000", **sure).status_code == 302
    assert open_in(night) == [(first, last, 5_000)]


def test_a_payment_of_next_to_nothing_is_asked_about(client, night):
    first, _second, _third, last = night.order
    page = pay_by_form(client, night, last, first, "10")
    assert "10 kẹo is very little: the debt is 10,000 kẹo." in page.content.decode()
    assert not Posting.objects.exists()


def test_next_to_nothing_is_asked_about_also_where_the_fewest_payments_name_others(client, night):
    first, second, third, last = night.order
    sitting = night.rounds.get().sittings.get()
    play(sitting, [second, first, last, third])
    debts = [debt[:2] for debt in open_in(night)]
    net = dict.fromkeys(night.order, 0)
    for payer, payee, amount in open_in(night):
        net[payer] -= amount
        net[payee] += amount
    payer, payee = next(
        (one, other)
        for one in night.order
        for other in night.order
        if net[one] < 0 < net[other] and (one, other) not in debts
    )
    page = pay_by_form(client, night, payer, payee, "10")
    assert "10 kẹo is very little" in page.content.decode()
    assert not Posting.objects.exists()


def test_a_payment_between_people_without_a_debt_says_who_then_owes_it(client, night):
    _first, second, third, _last = night.order
    page = pay_by_form(client, night, second, third, "1k").content.decode()
    assert f"This is 1,000 kẹo more than {second} owes {third}." in page
    assert "will then owe" in page
    assert not Posting.objects.exists()


def test_what_pages_print_can_be_typed_as_a_payment(client, night):
    first, _second, _third, last = night.order
    assert pay_by_form(client, night, last, first, "10.000 kẹo").status_code == 302
    assert open_in(night) == []


def test_while_a_night_is_played_the_season_settles_the_nights_before(client, night):
    """What tonight's games move stands on the night's page alone until it is closed."""
    by, season = owner_of(night), night.season
    [before] = open_in(night)
    tonight = make_table(make_night(season=season, stake=10_000), games=1).round.event
    running = open_in(tonight)
    assert (len(running), open_over(season)) == (1, [before])
    client.force_login(by)

    def shown(event=None):
        one, name = (event, "event_money") if event else (season, "season_money")
        return client.get(path_of(season.club, name, one.pk)).content.decode()

    leads = f'<a href="{path_of(tonight, "event_money")}">{tonight.name}</a>'
    assert (leads in shown(), "if it ended now" in shown(tonight)) == (True, True)
    assert shown().count("Mark as paid") == 1, "a button beside the payment"
    nights = shown().split('id="nights"')[1]
    assert [nights.count(word) for word in ("being played", "10k open")] == [1, 1]
    row = shown(tonight).split('class="rows payments"')[1].split("</details>")
    assert ("Mark as paid" in row[0], "Mark as paid" in row[1]) == (True, False), "for who leaves"
    tap(None, Which(), before[2], season=season)
    assert Posting.objects.latest("pk").event == night
    assert (open_over(season), open_in(night), open_in(tonight)) == ([], [], running)
    closing.close_event(event=tonight, by=by, despite_unfinished=True)
    assert open_over(season) == open_in(tonight) == running
    assert (leads in shown(), "if it ended now" in shown(tonight)) == (False, False)


@pytest.mark.parametrize(("days", "hour"), [(0, None), (0, 2), (0, 19), (1, 0), (1, 5), (1, 6)])
def test_a_night_is_in_play_on_its_own_evening_whatever_its_date_says(night, days, hour):
    """What starts at half past midnight is of the evening before, also in what is due."""
    starts_at = hour if hour is None else datetime.time(hour, 30)
    date = night.season.club.today + datetime.timedelta(days=days)
    night.season.events.update(date=date, starts_at=starts_at)
    night.refresh_from_db()
    tonight = night.day == night.season.club.today
    assert tonight is ((days, hour) in [(0, None), (0, 19), (1, 0), (1, 5)])
    assert (night.is_in_play, bool(open_over(night.season))) == (tonight, not tonight)


def test_part_of_a_payment_moves_nobody_elses_debt(client):
    """On the night's page and the season's, also after a night that was paid in full."""
    season = make_season()
    by = owner_of(season)
    earlier, night = make_night(4, season=season), make_night(4, season=season)
    put_to_yesterday(season)
    an, bi, cu, du = (entrant.player for entrant in night.entrants.order_by("player__sort_key"))

    def moved(act, payer, payee, amount, event):
        return act(
            payer=payer, payee=payee, amount=amount, season=season, event=event, by=by,
            client_id=uuid.uuid4(),
        )  # fmt: skip

    moved(postings.post_side, bi, cu, 70, earlier)
    moved(postings.settle, bi, cu, 70, earlier)
    moved(postings.post_side, du, an, 50, night)
    moved(postings.post_side, bi, cu, 30, night)
    whole = [(str(du), str(an), 50), (str(bi), str(cu), 30)]
    assert open_in(night) == open_over(season) == whole
    part = moved(postings.settle, du, an, 20, night)
    left = [(str(bi), str(cu), 30), (str(du), str(an), 30)]
    assert open_in(night) == open_over(season) == left
    client.force_login(by)
    for name, one in (("event_money", night), ("season_money", season)):
        page = client.get(path_of(season.club, name, one.pk))
        shown = page.context["settling"].payments
        assert [(str(p.payer), str(p.payee), p.amount) for p in shown] == left
    postings.reverse(posting=part, by=by, client_id=uuid.uuid4())
    assert open_in(night) == open_over(season) == whole
