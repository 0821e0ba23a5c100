"""What the page of a table says, as values: no browser and no database."""

from types import SimpleNamespace

import pytest

from league.nights.domain.night_formats import NightFormat
from league.nights.facts.sittings import NextGame
from league.nights.pages import table_page
from league.nights.pages.queue_page import SeatedPlayer, TableQueue


def somebody(name):
    return SimpleNamespace(player=SimpleNamespace(name=name))


def place(name):
    return SimpleNamespace(entrant=somebody(name))


def visitor(*, clockwise=True):
    direction = "clockwise" if clockwise else "counterclockwise"
    night = SimpleNamespace(same_deals=False)
    event = SimpleNamespace(
        is_clockwise=direction == "clockwise", rules_of_format=night, games_per_round=4
    )
    return SimpleNamespace(event=event, may_speak=False, may_enter=False, sees_money=False)


def following(**more):
    values = {"number": 2, "places": [], "dealer": None, "leader": None, "is_over": False} | more
    return NextGame(**values)


def queue(waiting=(), seated=(), went=(), came=()):
    return TableQueue(
        [somebody(name) for name in waiting],
        list(seated),
        [*map(place, went)],
        [*map(place, came)],
        together=3,
        changes=bool(waiting),
    )


def test_who_deals_and_who_leads_is_said_with_their_names():
    now = table_page.now_of(visitor(), following(dealer=place("An"), leader=place("Bình")))
    assert now.deals == "<b>An</b> shuffles and deals."
    assert (now.leads, now.direction) == ("<b>Bình</b> leads.", "Play goes clockwise.")


def test_where_the_cards_decide_nobody_is_named_to_deal():
    now = table_page.now_of(visitor(), following(dealer=place("An"), cuts=True))
    assert now.deals == "Cut for the first deal."


def test_without_a_winner_the_lowest_card_leads():
    now = table_page.now_of(visitor(clockwise=False), following(dealer=place("An")))
    assert now.leads == "The player with the lowest card leads."
    assert now.direction == "Play goes counter-clockwise."


def test_a_name_brings_no_marks_of_its_own():
    now = table_page.now_of(visitor(), following(dealer=place("<i>An</i>")))
    assert now.deals == "<b>&lt;i&gt;An&lt;/i&gt;</b> shuffles and deals."


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"is_over": True}, "All games of this round are entered."),
        ({"waits": True}, "Nobody is seated here now."),
        (
            {"waits": True, "places": [place("An"), place("Chi")]},
            "Not enough players to start: An, Chi. The next player to arrive sits down here.",
        ),
    ],
)
def test_where_nothing_can_be_entered_it_is_said_why(more, text):
    assert table_page.now_of(visitor(), following(**more)).notice.text == text


@pytest.mark.parametrize(
    ("waiting", "look", "sentence"),
    [
        ([], 1, "Nobody is waiting: everyone stays for the next game."),
        (["Dao"], 1, "Last place gives up the seat to <b>Dao</b>."),
        (["Dao", "Em"], 2, "Last place gives up the seat to one of the first 2 in the queue."),
    ],
)
def test_the_queue_says_for_whom_the_last_makes_room(waiting, look, sentence):
    rules = NightFormat(kind="loser_leaves", look=look, cap=3)
    event = SimpleNamespace(rules_of_format=rules, games_together=None)
    last = SeatedPlayer(place("An"), is_last=True)
    turn = table_page.turn_of(event, queue(waiting, seated=[last]))
    again = (
        "<b>An</b> is playing game 3 in a row and also gives up the seat, "
        "if enough players are waiting."
    )
    assert turn.next_change == [sentence, *([again] if waiting else [])]


def test_who_went_and_who_came_is_said():
    event = SimpleNamespace(rules_of_format=NightFormat(), games_together=None)
    turn = table_page.turn_of(event, queue(went=["An"], came=["Dao"]))
    assert turn.moved == ["<b>An</b> gave up the seat.", "<b>Dao</b> takes the seat."]


def test_a_phone_without_a_line_stops_where_others_sit_down():
    event = SimpleNamespace(rules_of_format=NightFormat(kind="open"), games_per_round=4)
    changing = SimpleNamespace(changes=True, next=following())
    assert table_page.last_number(event, changing) == 2
    assert "This table is finished." in table_page.stop_notice(event, changing).text
    staying = SimpleNamespace(changes=False, next=following())
    assert table_page.last_number(event, staying) == 4
    assert table_page.stop_notice(event, staying) is None
