"""Evenings of đếm lá and nhất ăn tất: entered by taps, corrected, settled, and none of it lost."""

import uuid

import pytest
from django.test import Client

from engine.rules.specials import Special
from league.models import Placing, Result, Transfer
from league.money.acts import postings
from league.money.facts import open_debts
from league.nights.acts import seat_changes
from league.proof.facts import verify
from tests.factories import (
    browser_of,
    correct,
    keys_at,
    make_night,
    make_table,
    names_at,
    owner_of,
    play,
    table_link,
)
from tests.league.nights.ledger import moved
from tests.league.nights.test_tap import fields
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def money_table(rules, players=4, stake=10):
    return make_table(make_night(players, rules=rules, stake=stake))


def test_an_evening_of_counted_cards_without_a_script():
    """Tap the winner, count the cards, look at the money, save, correct, and check the books."""
    sitting = money_table("dem-la")
    event = sitting.round.event
    a, b, c, d = keys_at(sitting).values()
    here = table_link(sitting)
    visitor, sent = Client(), {}

    def tap(**choice):
        nonlocal sent
        html = visitor.get(here, sent | choice).content.decode()
        sent = fields(html)
        return html

    tap(tap=b)
    assert sent["order"] == f"{b},{a}+{c}+{d}"
    html = tap(tap=a)
    assert sent["order"] == f"{a},{b}+{c}+{d}"
    assert "Enter how many cards each loser has left" in html
    tap(add=1, kind="cards", of=b, count=4)
    tap(add=1, kind="cards", of=c, count=6)
    tap(add=1, kind="left", of=c, what="R")
    html = tap(add=1, kind="cong", of=d)
    assert sent["specials"] == f"cards.{b}.4;cards.{c}.6;left.{c}.R;cong.{d}"
    # 4 + 6 + 2 + 26 stakes of ten.
    assert "+380" in html
    assert visitor.post(here, sent).status_code == 302
    names = names_at(sitting)
    assert moved(event) == dict(zip(names, (380, -40, -80, -260), strict=True))
    assert f"{names[1]}: cards left: 4" in visitor.get(here).content.decode()
    # C had five cards; a game is corrected like any other.
    result = Result.objects.get()
    specials = [
        Special("cards", of=b, what="4"), Special("cards", of=c, what="5"),
        Special("left", of=c, what="R"), Special("cong", of=d),
    ]  # fmt: skip
    correct(result, groups=[[a], [b, c, d]], specials=specials)
    assert moved(event) == dict(zip(names, (370, -40, -70, -260), strict=True))
    assert sorted(Placing.objects.filter(result__current=True).values_list("rank", "tied")) == [
        (1, 1), (2, 3), (2, 3), (2, 3),
    ]  # fmt: skip
    assert list(verify.everything(event.season.club)) == []


def test_the_first_takes_all_at_a_table_of_three_by_the_api():
    sitting = money_table("nhat-an-tat", players=3)
    event = sitting.round.event
    a, b, c = keys_at(sitting).values()
    client = browser_of(owner_of(event))
    address = f"/api/v1/clubs/{event.season.club.slug}/events/{event.pk}/results/"
    game = {"round": 1, "table": 1, "game": 1, "client_id": str(uuid.uuid4())}
    refused = client.post(
        address, game | {"groups": [[a], [b], [c]]}, content_type="application/json"
    )
    assert refused.status_code in (400, 409)
    assert "everyone else shares last place" in refused.content.decode()
    saved = client.post(
        address,
        game | {
            "groups": [[a], [b, c]],
            "specials": [
                {"kind": "chop", "by": b, "of": c, "what": "BR"},
                {"kind": "cong", "of": c},
                {"kind": "left", "of": b, "what": "Q"},
            ],
        },
        content_type="application/json",
    )  # fmt: skip
    assert saved.status_code == 201, saved.content
    names = names_at(sitting)
    assert moved(event) == dict(zip(names, (70, -20, -50), strict=True))


def test_numbers_that_cannot_be_are_refused_and_nothing_is_saved():
    sitting = money_table("dem-la", players=3)
    a, b, c = keys_at(sitting).values()
    for whats in (("5", "13"), ("5", "-1"), ("5", "²"), ("5", "")):
        wrong = [Special("cards", of=who, what=n) for who, n in zip((b, c), whats, strict=True)]
        with refuses("count"):
            play(sitting, [], groups=[[a], [b, c]], specials=wrong)
    assert (Result.objects.count(), Transfer.objects.count()) == (0, 0)


# What a game's specials say of the seats A, B, C and D; the sums are in stakes.
COUNTED = {
    "four": [Special("cards", of=b, what=n) for b, n in ((1, "4"), (2, "6"), (3, "1"))],
    "three": [Special("cards", of=0, what="3"), Special("left", of=0, what="R"),
              Special("cong", of=2)],
    "void": [Special("cards", of=0, what="1"), Special("cards", of=1, what="2"),
             Special("chop", by=0, of=1, what="B")],
    "right": [Special("cards", of=b, what=n) for b, n in ((0, "2"), (1, "4"), (2, "6"))],
}  # fmt: skip
ALL_TO_THE_FIRST = {
    "four": [Special("cong", of=2), Special("left", of=2, what="PR3")],
    "three": [Special("left", of=0, what="R"), Special("cong", of=2)],
    "void": [Special("chop", by=0, of=1, what="B")],
    "right": [Special("cong", of=2), Special("left", of=2, what="PR3")],
}


@pytest.mark.parametrize(
    ("rules", "specials", "at_first", "in_the_end"),
    [
        # Right: 2 + 4 + 6 to D. At three: A 3 + 2 and C 26 to B. First: 4 + 6 + 1 to A.
        ("dem-la", COUNTED, (110 - 50, -40 + 310 - 30, -60 - 260 + 30, -10),
         (-20 - 50, -40 + 310, -60 - 260, 120)),
        # Right: 1 + 1 + (2 + 3) to D. At three: A 1 + 2 and C 2 to B. First: 1 + (2 + 3) + 1 to A.
        ("nhat-an-tat", ALL_TO_THE_FIRST, (70 - 30, -10 + 50 - 20, -50 - 20 + 20, -10),
         (-10 - 30, -10 + 50, -50 - 20, 70)),
    ],
)  # fmt: skip
def test_a_leaver_a_table_of_three_a_correction_and_a_void(rules, specials, at_first, in_the_end):
    sitting = money_table(rules)
    event, by = sitting.round.event, owner_of(sitting)
    keys, names = [*keys_at(sitting).values()], names_at(sitting)

    def told(game):
        at = {None: None} | dict(enumerate(keys))
        return [thing._replace(by=at[thing.by], of=at[thing.of]) for thing in specials[game]]

    a, b, c, d = keys
    first = play(sitting, [], groups=[[a], [b, c, d]], specials=told("four"))
    seat_changes.leave(sitting_id=sitting.pk, entrant_id=d, by=by)
    play(sitting, [], groups=[[b], [a, c]], specials=told("three"))
    third = play(sitting, [], groups=[[c], [a, b]], specials=told("void"))
    assert moved(event) == {n: m for n, m in zip(names, at_first, strict=True) if m}
    correct(first, groups=[[d], [a, b, c]], specials=told("right"))
    correct(third, [], void=True)
    assert moved(event) == dict(zip(names, in_the_end, strict=True))
    debts = open_debts.of_night(event)
    postings.settle_open(
        season=event.season, event=event, which=open_debts.Which(), by=by,
        amount=sum(debt.amount for debt in debts), client_id=uuid.uuid4(),
    )  # fmt: skip
    assert (moved(event), list(open_debts.of_season(event.season))) == ({}, [])
    assert list(verify.everything(event.season.club)) == []
