"""The treasurer's sheet of a night agrees with the ledger, kind by kind."""

import re
import uuid
from urllib.parse import unquote_plus

import pytest

from league.base.acts import links
from league.clubs.acts import players
from league.money.acts import postings
from league.money.facts import open_debts
from league.money.pages import night_sheet
from tests.factories import make_paid_night, make_payment, make_user, night_link, owner_of, path_of
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def night():
    """A game for 10,000, a fee of 5,000 each, a rent of 8,000 and a prize of 12,000."""
    event = make_paid_night(10_000)
    club = event.season.club
    event.people = [players.named(club=club, name=name) for name in event.order]
    shared = {"season": event.season, "event": event, "by": owner_of(club)}
    postings.charge_fee(players=event.people, amount=5_000, client_id=uuid.uuid4(), **shared)
    postings.share_cost(bearers=event.people, amount=8_000, client_id=uuid.uuid4(), **shared)
    postings.award_prize(player=event.people[0], amount=12_000, client_id=uuid.uuid4(), **shared)
    return event


def pay(event, payer, payee, amount, note=""):
    make_payment(event.season, payer, payee, amount, event=event, note=note)


def test_the_sheet_tells_games_fees_rent_prizes_and_payments_apart(night):
    first, *_others, last = night.people
    pay(night, last, first, 4_000, "in cash")
    sheet = night_sheet.of_night(night, even=False)
    told = {row.name: (row.games, row.beside, row.paid, row.open) for row in sheet.rows}
    assert told[first.name] == (10_000, 5_000, -4_000, 11_000)
    assert told[last.name] == (-10_000, -7_000, 4_000, -13_000)
    assert [told[name] for name in night.order[1:3]] == [(0, -7_000, 0, -7_000)] * 2
    fund = sheet.fund
    assert (fund.fees, fund.costs, fund.prizes) == (20_000, 8_000, -12_000)
    assert (fund.received, fund.open) == (0, 16_000)
    assert (fund.beside, fund.paid, sheet.open) == (16_000, 0, 0)


def test_once_all_is_paid_nothing_is_open(night):
    debts = open_debts.of_night(night)
    postings.settle_open(
        season=night.season,
        event=night,
        which=open_debts.Which(),
        amount=sum(debt.amount for debt in debts),
        by=owner_of(night),
        client_id=uuid.uuid4(),
    )
    sheet = night_sheet.of_night(night, even=False)
    assert {row.open for row in sheet.rows} == {0}
    assert (sheet.fund.received, sheet.fund.open) == (16_000, 0)


def test_the_page_says_who_paid_whom_and_asks_a_fixed_number_of_queries(
    client, night, django_assert_max_num_queries
):
    first, *_others, last = night.people
    by = owner_of(night)
    by.name = "Thủ quỹ Hoa"
    by.save()
    pay(night, last, first, 4_000, "in cash")
    money = path_of(night, "event_money")
    links.renew_for_night(event=night, by=by)
    client.post(night_link(night), {"me": first.pk})
    # A phone of the night sees its money, not who noted it.
    with django_assert_max_num_queries(36):
        shown = client.get(money, {"show": "all"}).content.decode()
    assert f"{last.name} to {first.name}: 4,000" in shown
    assert "in cash" in shown
    assert "Thủ quỹ Hoa" not in shown
    assert "Zero-sum check" not in shown
    user = make_user()
    players.take_player(player=first, user=user)
    client.force_login(user)  # Who says "that's me" is a member.
    with django_assert_max_num_queries(41):
        shown = client.get(money, {"show": "all"}).content.decode()
    assert "Thủ quỹ Hoa" in shown
    assert "Zero-sum check" in shown
    client.force_login(by)
    assert "Thủ quỹ Hoa" in client.get(money, {"show": "all"}).content.decode()
    assert f"{last.name} to {first.name}: 4,000" in client.get(money).content.decode()


def test_each_column_adds_up_to_what_stands_below_it(client, night):
    """The fund has a row among the sums, so that the sum of all is the sum of what is read."""
    first, *_others, last = night.people
    pay(night, last, first, 4_000)
    client.force_login(owner_of(night))

    page = client.get(path_of(night, "event_money"), {"show": "all"}).content.decode()
    sheet = re.search(r'<table id="sheet">(.*?)</table>', page, re.DOTALL)[1]
    rows = [re.findall(r"<td[^>]*>\s*([^<]*?)\s*</td>", row) for row in sheet.split("</tr>")]
    columns = zip(*[[_whole(cell) for cell in row] for row in rows if row], strict=True)
    games, beside, paid, due = columns
    assert due == (11_000, -7_000, -7_000, -13_000, 16_000, 0)
    assert [sum(column) for column in (games, beside, paid, due)] == [0] * 4


def _whole(cell):
    return int(re.sub(r"[^-0-9]", "", cell.replace("−", "-")) or 0)


def test_pair_by_pair_counts_no_sheet(client, night, django_assert_max_num_queries):
    """Another list of the payments shows what is owed; the sheet is asked for with all."""
    client.force_login(owner_of(night))
    money = path_of(night, "event_money")
    with django_assert_max_num_queries(39):
        page = client.get(money, {"way": "each"})
    assert "sheet" not in page.context
    assert "Balances (Excel)" not in page.content.decode()


def test_old_addresses_show_on_the_night_s_page_what_they_showed(client, night):
    """Until 1.2 the sheet and the night's part of its season's money were pages of their own."""
    club, first = night.season.club, night.people[0]
    sitting = night.rounds.get().sittings.get()
    client.force_login(owner_of(club))
    money = path_of(night, "event_money")
    sheet = client.get(path_of(night, "night_sheet"))
    assert sheet["Location"] == f"{money}?show=all#balances"
    season = path_of(night.season, "season_money")
    for asked, leads, told in (
        (
            {},
            "show=all",
            [
                '<th scope="row">Hội Bạn</th>',
                'id="fund">Hội Bạn (',
                "round 1, table 1",
                "Balances (Excel)",
                "Pair by pair",
            ],
        ),
        ({"q": first.name}, f"q={first.name}&show=all", [first.name]),
        ({"sitting": sitting.pk}, f"sitting={sitting.pk}&show=all", ["game 1", "Player by player"]),
        (
            {"sitting": sitting.pk, "game": 1},
            f"sitting={sitting.pk}&game=1&show=all",
            ["table 1, game 1"],
        ),
    ):
        answer = client.get(season, {"event": night.pk} | asked)
        assert unquote_plus(answer["Location"]) == f"{money}?{leads}"
        shown = client.get(answer["Location"]).content.decode()
        assert [words for words in told if words not in shown] == []


def test_a_search_leaves_its_person_alone_on_the_sheet(client, night):
    first = night.people[0]
    client.force_login(owner_of(night))
    money = path_of(night, "event_money")
    page = client.get(money, {"show": "all", "q": first.name})
    assert [row.player for row in page.context["sheet"].rows] == [first]
    assert f'value="{first.name}"' in page.content.decode()
    page = client.get(money, {"show": "all", "q": "Zzyzx"})
    assert page.context["sheet"].rows == []
    assert "Nobody is called “Zzyzx”." in page.content.decode()
