"""Evenings abroad: quarters in San José, cents in Berlin, whole đồng in Hà Nội."""

import re
import uuid
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from league.clubs.acts import clubs, players
from league.models import Club, Event, PaymentWay, Season
from league.money.acts import payment_ways
from league.money.domain.services import is_iban
from league.money.facts import open_debts
from league.money.pages.pay import how_to_pay
from league.nights.acts import events
from tables.base import currencies
from tests.factories import (
    browser_of,
    make_club,
    make_cost,
    make_night,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
    sign_in,
)

pytestmark = pytest.mark.django_db

PAGE = "/clubs/~tonight/"
NOBODY = {"bank": "", "number": "", "holder": "", "words": ""}
IBAN = "DE89370400440532013000"
PLACES = {
    "San Jose, USA": (".25", "¤USD", {"en": ("$0.25", "+0.25"), "vi": ("0,25 $", "+0,25")}),
    "Berlin, Germany": ("0,20", "¤EUR", {"en": ("€0.20", "+0.20"), "vi": ("0,20 €", "+0,20")}),
    "Hanoi, Vietnam": ("20k", "đ", {"en": ("20k", "+20,000"), "vi": ("20k", "+20.000")}),
}


def words_of(client, address, language):
    answer = client.get(address, headers={"accept-language": language})
    assert answer.status_code == 200, address
    return re.sub(r"\s+", " ", strip_tags(answer.content.decode()))


def counted_in(unit, *, stake=25, rules="killa"):
    """A played night of a club that counts in this unit; its organiser's browser."""
    club = make_club()
    Club.objects.filter(pk=club.pk).update(unit=unit)
    club.refresh_from_db()
    sitting = make_table(make_night(season=make_season(club, rules=rules), stake=stake))
    event = sitting.round.event
    event.order = names_at(sitting)
    play(sitting, event.order)
    put_to_yesterday(event.season)
    return event, browser_of(owner_of(club))


@pytest.mark.parametrize("place", PLACES)
def test_a_first_night_counts_in_the_money_of_its_place(place):
    typed, unit, written = PLACES[place]
    family = Client()
    form = {"text": "An\nBình\nChi\nDũng", "ruleset": "killa", "games": "4", "stake": typed}
    family.post(PAGE, form | {"seed": "7", "do": "start", "place": place})
    event = Event.objects.get()
    assert (event.season.unit, event.season.club.unit) == (unit, unit)
    sitting = event.rounds.get().sittings.get()
    order = names_at(sitting)
    play(sitting, order)
    for language, (amount, won) in written.items():
        night = words_of(family, path_of(event, "event"), language)
        money = words_of(family, path_of(event, "event_money"), language)
        season = words_of(family, path_of(event.season, "season_money"), language)
        assert f"{order[-1]}" in money
        assert amount in money, money
        assert won in words_of(family, path_of(event, "event_money") + "?full=1", language)
        assert won in words_of(family, path_of(event.season, "season_money") + "?full=1", language)
        assert "¤" not in night + money + season


@pytest.mark.parametrize(
    ("unit", "typed", "each"),
    [("¤USD", "$27.40", 685), ("¤EUR", "27,40", 685), ("đ", "100k", 25_000)],
)
def test_a_cost_is_shared_to_the_last_cent(unit, typed, each):
    event, host = counted_in(unit)
    form = {"client_id": uuid.uuid4(), "amount": typed, "event": event.pk, "note": "pizza"}
    form |= {"bearers": "all", "paid_by": event.order[0]}
    answer = host.post(path_of(event.season, "posting_create", "cost"), form)
    assert answer.status_code == 302, answer.context["form"].errors
    shared = [move.amount for move in event.transfers.filter(posting__kind="cost")]
    assert shared == [each] * 3
    assert sum(one.amount for one in open_debts.of_night(event)) > 0


def test_every_tap_on_money_moves_what_the_page_says():
    event, host = counted_in("¤USD", stake=685)
    money = path_of(event, "event_money")
    page = host.get(money).content.decode()
    [prefilled] = re.findall(r'href="([^"]*/settlement/\?payer[^"]*)"', page)
    form = host.get(unescape(prefilled)).context["form"]
    assert 'value="6.85"' in str(form["amount"])
    host.post(path_of(event.season, "settle"), {
        "payer": open_debts.of_night(event)[0].payer.player_id,
        "payee": open_debts.of_night(event)[0].payee.player_id,
        "amount": 685, "event": event.pk, "client_id": uuid.uuid4(),
    })  # fmt: skip
    assert open_debts.of_night(event) == []
    assert "$6.85" in words_of(host, money, "en"), "the message says what was paid"
    sitting = event.rounds.get().sittings.get()
    at_table = path_of(event, "stake", 1, 1)
    page = host.get(at_table).content.decode()
    assert 'value="13.70"' in page, "twice the stake, as a chip"
    shown = host.get(at_table, {"stake": ".5"})
    assert shown.context["page"].chosen == 50
    host.post(at_table, {"stake": 50})
    sitting.refresh_from_db()
    assert event.stake_of(sitting) == 50


def test_the_recipe_of_a_first_night_says_its_stake_in_money():
    form = {
        "text": "An\nBình\nChi",
        "ruleset": "killa",
        "games": "4",
        "stake": ".25",
        "do": "names",
    }
    answer = Client().post(PAGE, form | {"seed": "7", "place": "San Jose, USA"})
    assert "$0.25 a game" in strip_tags(answer.content.decode())


def test_a_rest_of_cents_is_shared_by_the_rule_of_rests():
    event, _host = counted_in("¤USD", stake=0, rules="thirteen")
    club = event.season.club
    bearers = [players.named(club=club, name=name) for name in event.order]
    make_cost(event.season, bearers[:3], 1_000, event=event)
    assert sorted(one.amount for one in event.transfers.all()) == [333, 333, 334]


def test_api_and_files_say_the_currency_and_its_decimals():
    event, host = counted_in("¤USD", stake=125)
    season = event.season_id
    for name, key in (("season_balances", season), ("season_transfers", season),
                      ("season_payments", season), ("season_standings", season),
                      ("event_standings", event.pk), ("results", event.pk)):  # fmt: skip
        rows = host.get(path_of(event.season.club, f"api:{name}", key)).json()["results"]
        assert {(one["currency"], one["exponent"]) for one in rows} == {("USD", 2)}, name
    night = host.get(path_of(event, "api:event")).json()
    assert (night["stake"], night["currency"], night["exponent"]) == (125, "USD", 2)
    club = host.get(path_of(event.season.club, "api:club")).json()
    assert (club["unit"], club["currency"], club["exponent"]) == ("$", "USD", 2)
    for what in ("money", "payments", "transfers", "proof"):
        text = host.get(path_of(event.season, "season_csv", what)).content.decode("utf-8-sig")
        assert re.search(r"\b1[.,]25\b", text), text
    old, host = counted_in("kẹo", stake=5)
    night = host.get(path_of(old, "api:event")).json()
    assert (night["stake"], night["currency"], night["exponent"]) == (5, "", 0)


def test_whole_dollars_stay_whole_and_cents_begin_with_a_new_season():
    event, host = counted_in("$", stake=5)
    season, club = event.season, event.season.club
    before = {
        language: words_of(host, path_of(event.season, "season_money") + "?full=1", language)
        for language in ("en", "vi")
    }
    page = path_of(club, "season_create")
    assert "Count money as $25.25" in words_of(host, page, "en")
    form = {"name": "Mùa xuân", "ruleset": "killa", "points": "3-2-1-0", "starts_on": "2015-01-01"}
    host.post(page, form | {"parts": "on"})
    season.refresh_from_db()
    club.refresh_from_db()
    new = Season.objects.get(name="Mùa xuân")
    assert [season.unit, new.unit, club.unit] == ["$", "¤USD", "¤USD"]
    host.get(page)  # It tells that the season is made.
    for language, words in before.items():
        address = path_of(event.season, "season_money") + "?full=1"
        after = words_of(host, address, language)
        assert after == words, (after, words)
    assert "Count money as" not in words_of(host, page, "en"), "offered once"
    night = make_night(season=new, stake=25)
    assert "$0.25" in words_of(host, path_of(night, "event_settings"), "en")
    assert "5 $" in words_of(host, path_of(event, "event_settings"), "en")


def test_a_club_changes_its_unit_and_no_season_with_money_follows():
    event, _host = counted_in("đ", stake=5_000)
    club, by = event.season.club, owner_of(event)
    empty = make_season(club)
    planned = make_season(club)
    events.create_event(
        season=planned, by=by, name="Đêm", date=club.today, plan=events.read_plan({"stake": 5_000})
    )
    kept = {"name": club.name, "time_zone": club.time_zone, "by": by}
    club = clubs.change_club(club=club, unit="euro", **kept)
    seasons = [Season.objects.get(pk=one.pk) for one in (event.season, planned, empty)]
    assert [one.unit for one in seasons] == ["đ", "đ", "¤EUR"]
    clubs.change_club(club=club, unit="€", **kept)
    assert Club.objects.get(pk=club.pk).unit == "¤EUR", "as the page shows it"


def payee_of(event):
    """The first player of the order, and their account."""
    payee = players.named(club=event.season.club, name=event.order[0])
    user = make_user()
    players.take_player(player=payee, user=user)
    return payee, user


def test_several_ways_are_kept_and_the_debtor_sees_the_one_that_pays_there():
    event, _host = counted_in("¤EUR", stake=2_740)
    payee, user = payee_of(event)
    payee.refresh_from_db()
    ways = ({"bank": "970436", "number": "0071000999999", "holder": "CHI"},
            {"bank": "sepa", "number": "de89 3704 0044 0532 0130 00", "holder": "Lê Thị Chi"},
            {"bank": "paypal", "number": "@ChiLe"})  # fmt: skip
    for place, way in enumerate(ways, 1):
        payment_ways.leave(user=user, place=place, **NOBODY | way)
    assert PaymentWay.objects.filter(user=user).count() == 3
    with pytest.raises(ValidationError, match="3"):
        payment_ways.leave(user=user, place=4, **NOBODY | {"words": "cash"})

    payment_ways.show(player=payee, shown=True)
    payee.refresh_from_db()

    def shown(unit):
        found = how_to_pay(payee, amount=2_740, unit=unit, payer="An", event=event)
        assert found is not None
        return found

    assert (shown("¤EUR").number, shown("¤EUR").says_amount) == (IBAN, True)
    assert shown("¤EUR").qr
    assert shown("¤USD").link == "https://www.paypal.com/paypalme/ChiLe/27.40USD"
    assert (shown("đ").number, shown("đ").says_amount) == ("0071000999999", True)
    assert shown("kẹo").link == ""


REFUSED = [
    ({"bank": "sepa", "number": "DE89370400440532013001", "holder": "Chi"}, "number"),
    ({"bank": "sepa", "number": IBAN}, "holder"),
    ({"bank": "sepa", "number": "12345", "holder": "Chi"}, "number"),
    ({"bank": "paypal", "number": "evil.example/x"}, "number"),
    ({"bank": "venmo", "number": "../../x"}, "number"),
    ({"bank": "cashapp", "number": "javascript:alert(1)"}, "number"),
    ({"bank": "revolut", "number": ""}, "number"),
]


@pytest.mark.parametrize(("way", "field"), REFUSED)
def test_nobodys_text_becomes_an_address(way, field):
    with pytest.raises(ValidationError) as refused:
        payment_ways.leave(user=make_user(), **NOBODY | way)
    assert list(refused.value.error_dict) == [field]
    assert not PaymentWay.objects.exists()


def test_ibans_are_checked_as_their_standard_says():
    """The examples of ISO 13616 and the ECBS."""
    for iban in (IBAN, "GB82WEST12345698765432", "FR1420041010050500013M02606"):
        assert is_iban(iban)
        assert not is_iban(iban[:-1] + str((int(iban[-1]) + 1) % 10))


def test_the_way_is_written_changed_and_ended_on_its_page():
    event, _host = counted_in("¤EUR", stake=2_740)
    _payee, user = payee_of(event)
    client = sign_in(user)
    page = reverse("my_bank")
    client.post(page, NOBODY | {"words": "Zelle: chi@example.com"})
    client.post(f"{page}?place=2", NOBODY | {"bank": "sepa", "number": IBAN, "holder": "Chi"})
    shown = words_of(client, page, "en")
    assert f"SEPA (IBAN) {IBAN}" in shown
    assert "Add another way" in shown
    client.post(page, NOBODY)
    assert PaymentWay.objects.get(user=user).bank == "sepa"


def test_units_are_named_as_people_name_them():
    named = {
        "usd": "¤USD",
        "$": "¤USD",
        "Euro": "¤EUR",
        "zł": "¤PLN",
        "kẹo": "kẹo",
        "¤": "",
        "đ": "đ",
    }
    assert {text: currencies.unit_of(text) for text in named} == named
    assert currencies.unit_of("$", ["AUD"]) == "¤AUD"
    assert [currencies.code(unit) for unit in ("đ", "¤CAD", "kẹo")] == ["VND", "CAD", ""]
