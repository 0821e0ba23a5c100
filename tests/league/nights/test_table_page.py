"""What the page of a table says, as values: no browser and no database."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from league.nights.domain.night_formats import NightFormat
from league.nights.facts.waitlist import FloorTable, Turn
from league.nights.pages import table_page


def somebody(name):
    return SimpleNamespace(player=SimpleNamespace(name=name))


def place(name):
    return SimpleNamespace(entrant=somebody(name))


def table(floor=None, clockwise=True, kind="rounds", games=4, **following):
    following = {
        "number": 2,
        "places": [],
        "is_over": False,
        "waits": False,
        "cuts": False,
    } | following
    event = SimpleNamespace(rules_of_format=NightFormat(kind=kind), games_per_round=games)
    return SimpleNamespace(
        event=event,
        floor=floor,
        clockwise=clockwise,
        next=SimpleNamespace(**following),
        tells_order=True,
    )


def floor(queue=(), turns=(), went=(), came=(), changes=False):
    waiting = [somebody(name) for name in queue]
    return FloorTable(
        waiting, list(turns), [*map(place, went)], [*map(place, came)], together=3, changes=changes
    )


def test_who_deals_and_who_leads_is_said_with_their_names():
    now = table_page.now(table(dealer=place("An"), leader=place("Bình")))
    assert now.deals == "<b>An</b> shuffles and deals."
    assert (now.leads, now.direction) == ("<b>Bình</b> leads.", "Play goes clockwise.")


def test_where_the_cards_decide_nobody_is_named_to_deal():
    now = table_page.now(table(dealer=place("An"), leader=None, cuts=True))
    assert now.deals == "Cut for the first deal."


def test_without_a_winner_the_lowest_card_leads():
    now = table_page.now(table(dealer=place("An"), leader=None, clockwise=False))
    assert now.leads == "The player with the lowest card leads."
    assert now.direction == "Play goes counter-clockwise."


def test_a_name_brings_no_marks_of_its_own():
    now = table_page.now(table(dealer=place("<i>An</i>"), leader=None))
    assert now.deals == "<b>&lt;i&gt;An&lt;/i&gt;</b> shuffles and deals."


@pytest.mark.parametrize(
    ("following", "text"),
    [
        ({"is_over": True}, "All games of this round are entered."),
        ({"waits": True}, "Nobody is seated here now."),
        (
            {"waits": True, "places": [place("An"), place("Chi")]},
            "Not enough players to start: An, Chi. The next player to arrive sits down here.",
        ),
    ],
)
def test_where_nothing_can_be_entered_it_is_said_why(following, text):
    assert table_page.now(table(**following)).notice.text == text


@pytest.mark.parametrize(
    ("queue", "look", "sentence"),
    [
        ([], 1, "Nobody is waiting: everyone stays for the next game."),
        (["Dao"], 1, "Last place gives up the seat to <b>Dao</b>."),
        (["Dao", "Em"], 2, "Last place gives up the seat to one of the first 2 in the queue."),
    ],
)
def test_the_queue_says_for_whom_the_last_makes_room(queue, look, sentence):
    rules = NightFormat(kind="loser_leaves", look=look, cap=3)
    event = SimpleNamespace(rules_of_format=rules, games_together=None)
    last = Turn(place("An"), 2, is_last=True)
    told = table_page.next_change(event, floor(queue, turns=[last]))
    again = (
        "<b>An</b> is playing game 3 in a row and also gives up the seat, "
        "if enough players are waiting."
    )
    assert told == [sentence, *([again] if queue else [])]


def test_who_went_and_who_came_is_said():
    told = table_page.moved(floor(went=["An"], came=["Dao"]))
    assert told == ["<b>An</b> gave up the seat.", "<b>Dao</b> takes the seat."]


def test_a_phone_without_a_line_stops_where_others_sit_down():
    changing = table(floor(changes=True), kind="open")
    assert table_page.last_number(changing) == 2
    assert "This table is finished." in table_page.stop_notice(changing).text
    assert table_page.last_number(table()) == 4
    assert table_page.stop_notice(table()) is None
