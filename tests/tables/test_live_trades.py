"""Trades before play: offered, answered, agreed to, and over in time."""

import pytest

from engine.rules.cards import parse_cards
from engine.rules.errors import NotInHand, NoTrade
from tables.models import Action, Seat, Table
from tables.play.acts import games, sweeps, trades
from tables.play.facts import positions
from tables.refusals import Stale, TableRefusal
from tests.tables import live
from tests.tables.live import HANDS, browser_of, hand_shown, post
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def table() -> Table:
    return dealt()


def dealt(rules: str = "tien-len", people: int = 4) -> Table:
    return live.dealt(rules, people=people, exchange=["negotiated"], hands=HANDS)


def who(table: Table, no: int) -> dict[str, int]:
    return {"table_id": table.pk, "seat_id": live.chair(table, no).pk}


def offer(table: Table, no: int, to: int, cards: str, want: int) -> int:
    """The number of the offer that the seat makes."""
    trades.offer(**who(table, no), to=to, cards=parse_cards(cards), want=want)
    return live.current(table).offers[-1]["id"]


def answer(table: Table, no: int, number: int, cards: str) -> None:
    trades.answer(**who(table, no), number=number, cards=parse_cards(cards))


def hand(table: Table, no: int) -> set[int]:
    state = positions.replay_of(live.current(table)).state
    return set(live.engine_game.observe(state, no).hand)


def test_two_players_swap_the_cards_that_they_agree_on(table):
    number = offer(table, 0, 2, "3S 4S", want=1)
    answer(table, 2, number, "2D")
    trades.agree(**who(table, 0), number=number, client_id="once")
    assert set(parse_cards("2D")) <= hand(table, 0)
    assert set(parse_cards("3S 4S")) <= hand(table, 2)
    assert Action.objects.get().body == {
        "seat": 0, "do": "trade", "with": 2, "give": "3S 4S", "take": "2D",
    }  # fmt: skip


def test_agreeing_twice_swaps_once(table):
    number = offer(table, 0, 2, "3S", want=1)
    answer(table, 2, number, "3D")
    trades.agree(**who(table, 0), number=number, client_id="once")
    trades.agree(**who(table, 0), number=number, client_id="once")
    assert Action.objects.count() == 1


def test_a_key_agrees_to_one_offer(table):
    first = offer(table, 0, 2, "3S", want=1)
    answer(table, 2, first, "3D")
    trades.agree(**who(table, 0), number=first, client_id="once")
    second = offer(table, 0, 2, "3D", want=1)
    answer(table, 2, second, "3S")
    with pytest.raises(TableRefusal, match="key_reused"):
        trades.agree(**who(table, 0), number=second, client_id="once")
    trades.agree(**who(table, 0), number=first, client_id="once")
    assert Action.objects.count() == 1


def test_a_gift_is_taken_without_another_word(table):
    answer(table, 2, offer(table, 0, 2, "3S", want=0), "")
    assert set(parse_cards("3S")) <= hand(table, 2)


@pytest.mark.parametrize("ends", [0, 2])
def test_either_of_the_two_ends_an_offer(table, ends):
    number = offer(table, 0, 2, "3S", want=1)
    trades.end(**who(table, ends), number=number)
    with pytest.raises(Stale):
        answer(table, 2, number, "3D")


def test_a_trade_ends_every_other_offer_of_the_two(table):
    offer(table, 1, 2, "3C", want=1)
    offer(table, 3, 1, "3H", want=1)
    number = offer(table, 0, 2, "3S", want=1)
    answer(table, 2, number, "3D")
    trades.agree(**who(table, 0), number=number, client_id="x")
    left = [(found["seat"], found["to"]) for found in live.current(table).offers]
    assert left == [(3, 1)]


def test_nobody_else_answers_or_agrees(table):
    number = offer(table, 0, 2, "3S", want=1)
    with pytest.raises(Stale):
        answer(table, 1, number, "3C")
    answer(table, 2, number, "3D")
    for no in (1, 2, 3):
        with pytest.raises(Stale):
            trades.agree(**who(table, no), number=number, client_id="x")
    assert Action.objects.count() == 0


@pytest.mark.parametrize(
    ("cards", "want", "refusal"),
    [("3C", 1, NotInHand), ("", 0, NoTrade), ("3S 4S 5S", 0, NoTrade), ("", 3, NoTrade)],
)
def test_an_offer_that_the_rules_forbid_is_refused(table, cards, want, refusal):
    with pytest.raises(refusal):
        offer(table, 0, 2, cards, want)
    assert live.current(table).offers == []


def test_where_numbers_must_be_equal_others_are_refused():
    table = dealt("viet-cong")
    with pytest.raises(NoTrade):
        offer(table, 0, 2, "3S 4S", want=1)


def test_an_answer_is_as_many_cards_of_ones_own(table):
    number = offer(table, 0, 2, "3S", want=1)
    with pytest.raises(TableRefusal, match="trade_count"):
        answer(table, 2, number, "3D 4D")
    with pytest.raises(NotInHand):
        answer(table, 2, number, "3C")


def test_nobody_makes_offers_without_end(table):
    for _ in range(trades.MOST_OFFERS):
        offer(table, 0, 2, "3S", want=1)
    with pytest.raises(TableRefusal, match="too_many_offers"):
        offer(table, 0, 2, "3S", want=1)
    assert len(live.current(table).offers) == 1


def test_bots_and_those_who_are_away_do_not_trade(table):
    games.sit_out(seat_id=live.chair(table, 2).pk)
    with pytest.raises(TableRefusal, match="nobody_trades"):
        offer(table, 0, 2, "3S", want=1)
    two = dealt(people=2)
    with pytest.raises(TableRefusal, match="nobody_trades"):
        offer(two, 0, 3, "3S", want=1)


def test_play_waits_while_people_trade_and_begins_when_all_have_enough(table):
    with pytest.raises(TableRefusal, match="trade"):
        live.act(table, 0, "play", "3S")
    for no in range(3):
        trades.ready(**who(table, no), yes=True)
    assert live.current(table).pause == "trade"
    trades.ready(**who(table, 3), yes=True)
    assert live.current(table).pause == "window"


def test_play_begins_where_the_last_who_had_not_enough_sits_out(table):
    for no in (0, 1):
        trades.ready(**who(table, no), yes=True)
    for no, pause in ((2, "trade"), (3, "window")):
        games.sit_out(seat_id=live.chair(table, no).pk)
        sweeps.sweep()
        assert live.current(table).pause == pause


def test_the_time_for_trades_ends_by_itself_and_offers_with_it(table):
    number = offer(table, 0, 2, "3S", want=1)
    live.hurry(table)
    with pytest.raises(Stale):
        answer(table, 2, number, "3D")
    live.hurry(table)
    live.act(table, 0, "play", "3S")


def test_nobody_takes_cards_from_another_who_did_not_agree(table):
    """The engine would still accept a trade before the first play."""
    for no in range(4):
        trades.ready(**who(table, no), yes=True)
    live.hurry(table)
    with pytest.raises(TableRefusal, match="no_action"):
        live.act(table, 0, "trade", "3S", other=1, take=parse_cards("2C"))
    assert Action.objects.count() == 0


def test_one_person_among_bots_is_not_kept_waiting():
    assert live.current(dealt(people=1)).pause == "window"


def test_who_traded_may_not_declare_an_instant_win():
    table = live.open_table("tien-len", people=4, exchange=["negotiated"])
    hands = [*HANDS]
    hands[0] = "4S 5S 6S 7S 8S 9S TS JS QS 2C 2S 2D 2H"
    hands[1] = hands[1].replace("2C", "3S")
    hands[2] = hands[2].replace("2D", "KS")
    hands[3] = hands[3].replace("2H", "AS")
    live.set_hands(table, hands)
    assert positions.replay_of(live.current(table)).may_declare(0)
    number = offer(table, 0, 1, "4S", want=1)
    answer(table, 1, number, "3C")
    trades.agree(**who(table, 0), number=number, client_id="x")
    assert not positions.replay_of(live.current(table)).may_declare(0)


def test_a_trade_is_posted_from_the_page_and_can_be_replayed(table):
    first, second = browser_of(table, 0), browser_of(table, 2)
    page = post(first, table, "trade", do="offer", to=2, want=1, cards=["3S"]).json()
    assert "You offer <b>Guest 2</b>" in page["own"]
    page = post(second, table, "trade", do="answer:1", cards=["3D"]).json()
    assert "Guest 0 decides." in page["own"]
    page = post(first, table, "trade", do="agree:1").json()
    assert "3D" in hand_shown(page["own"])
    assert "Guest 0 trades 3 of spades to Guest 2 for 3 of diamonds" in page["board"]
    live.hurry(table)
    live.play_quickly(table)
    replay = first.get(f"/tables/{table.key}/games/1/", {"step": 1}).content.decode()
    assert "Guest 2" in replay


@pytest.mark.parametrize(
    "data",
    [
        {"do": "offer", "to": 9},
        {"do": "offer", "to": 2, "cards": "XX"},
        {"do": "offer"},
        {"do": "offer", "to": 0, "cards": "3S"},
        {"do": "offer", "to": 2, "want": -1},
        {"do": "agree:9"},
        {"do": "agree:x"},
        {"do": "steal:1"},
        {"do": ""},
    ],
)
def test_nonsense_about_trades_is_refused_in_words(table, data):
    response = post(browser_of(table, 0), table, "trade", **data)
    assert response.status_code in (409, 422)
    assert response.json()["reason"]
    assert Seat.objects.filter(table=table).count() == 4
