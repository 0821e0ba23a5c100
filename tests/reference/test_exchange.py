"""Cards that change hands in the reference, each scheme by hand."""

from __future__ import annotations

import pytest

from tests.reference import records
from tests.reference.game_text import record
from tests.reference.table import Illegal

FOUR_PLACES = [[0], [1], [2], [3]]
CHOP = {"by": 0, "of": 1, "cards": "5S 5C 5D 5H", "on": "2H", "level": 1}
SECOND = {"by": 2, "of": 0, "cards": "6S 6C 6D 6H", "on": "5S 5C 5D 5H", "level": 2}


def question(hands, exchange, actions="", chops=(), key="tien-len", left=None, **options):
    previous = {"placings": FOUR_PLACES, "chops": list(chops), "hands": left}
    options["exchange"] = [exchange]
    answer = record(key, hands, actions, previous=previous, options=options)
    legal = records.legal(answer)
    return (legal["seat"], legal["legal"]), records.replay(answer)["hands"]


def test_the_winner_takes_the_two_highest_of_the_last():
    hands = ["3S 4S", "5S 6S", "7S 8S", "9S TS JS"]
    asked, now = question(hands, "winner_takes")
    assert now == ["3S 4S TS JS", "5S 6S 8S", "7S", "9S"]
    assert asked == (0, sorted(f"return {two}" for two in two_of("3S 4S TS JS")))
    asked, now = question(hands, "winner_takes", "0 return 3S TS")
    assert asked == (1, ["return 5S", "return 6S", "return 8S"])
    assert now == ["4S JS", "5S 6S 8S", "7S", "3S 9S TS"]


def two_of(cards: str) -> list[str]:
    words = cards.split()
    return [f"{a} {b}" for number, a in enumerate(words) for b in words[number + 1 :]]


DEBT = ["3S 4S 8H", "5S 2C 2D", "6S 7S", "9S TS"]


@pytest.mark.parametrize(
    ("which", "now"),
    [
        ("highest_two", ["3S 4S 8H 2D", "5S 2C", "6S 7S", "9S TS"]),
        ("highest_card", ["3S 4S 8H 2D", "5S 2C", "6S 7S", "9S TS"]),
        ("any_two", DEBT),
    ],
)
def test_the_victim_of_a_chop_owes_a_card(which, now):
    asked, hands = question(DEBT, "chop_debt", chops=[CHOP], chop_debt_which=which)
    assert hands == now
    if which == "any_two":
        assert asked == (1, ["give 2C", "give 2D"])
    else:
        assert asked == (0, ["return 2D", "return 3S", "return 4S", "return 8H"])


def test_who_lacks_a_two_owes_no_more():
    hands = ["3S 4S 8H", "5S 6H", "6S 7S", "9S TS"]
    asked, now = question(hands, "chop_debt", chops=[CHOP])
    assert (asked, now) == ((0, ["3S", "4S", "8H"]), hands)


@pytest.mark.parametrize(
    ("count", "first", "second"), [("stacking", 1, 2), ("doubling", 1, 2), ("none", 1, 1)]
)
def test_every_link_of_a_chain_owes_its_own_number(count, first, second):
    hands = ["3S 2S 2C 8H", "5S 2D 2H", "6S 7S", "9S TS"]
    options = {"chop_debt_which": "highest_card", "chop_debt_count": count}
    chops = [CHOP, SECOND]
    asked, _ = question(hands, "chop_debt", chops=chops, **options)
    assert (asked[0], {len(answer.split()) - 1 for answer in asked[1]}) == (0, {first})
    asked, _ = question(hands, "chop_debt", "0 return 3S", chops=chops, **options)
    assert (asked[0], {len(answer.split()) - 1 for answer in asked[1]}) == (2, {second})


def test_only_the_last_victim_owes_where_that_is_the_rule():
    hands = ["3S 2S 2C 8H", "5S 2D 2H", "6S 7S", "9S TS"]
    _, now = question(hands, "chop_debt", chops=[CHOP, SECOND], chop_debt_from="last")
    assert now == ["3S 8H", "5S 2D 2H", "6S 7S 2S 2C", "9S TS"]


def test_the_loser_owes_the_winner_the_twos_he_was_left_with():
    hands = ["3S 4S", "5S", "6S", "9S 2S 2H"]
    left = ["", "", "", "4H 2D"]
    asked, now = question(hands, "twos_left", left=left)
    assert now == ["3S 4S 2H", "5S", "6S", "9S 2S"]
    assert asked == (0, ["return 2H", "return 3S", "return 4S"])


def trade(give: str, take: str) -> dict:
    return {"seat": 0, "do": "trade", "with": 1, "give": give, "take": take}


def test_traders_may_give_two_cards_net_and_no_more():
    hands = ["3S 4S 5S 6S", "7S 8S"]
    options = {"exchange": ["negotiated"]}
    two = record("tien-len", hands, options=options)
    two["actions"] = [trade("5S", ""), trade("6S", "")]
    assert records.replay(two)["hands"] == ["3S 4S", "5S 6S 7S 8S"]
    three = {**two, "actions": [*two["actions"], trade("4S", "")]}
    with pytest.raises(Illegal):
        records.replay(three)


def test_viet_cong_trades_equal_numbers():
    hands = ["3S 4S 5S 6S", "7S 8S"]
    game = record("viet-cong", hands, options={"exchange": ["negotiated"]})
    even = {**game, "actions": [trade("3S 4S", "7S 8S")]}
    assert records.legal(even)["seat"] == 1
    with pytest.raises(Illegal):
        records.legal({**game, "actions": [trade("3S 4S", "7S")]})


def test_a_seat_that_swapped_cards_may_not_declare():
    pairs = "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C TS TC JS"
    hands = ["3S 3C", pairs, "4S", "4C"]
    chops = [CHOP]
    swap = "0 ask 5\n0 return 5C"
    asked, _ = question(hands, "go_fish", swap, chops=chops)
    assert asked[1][0] != "declare"
    asked, _ = question(hands, "go_fish")
    assert asked == (1, ["declare", "decline"])
