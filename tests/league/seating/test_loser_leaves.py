import random
from collections import Counter

import pytest

from league.seating import SeatingError
from league.seating.loser_leaves import (
    Floor,
    arrive,
    fill,
    leave,
    open_floor,
    record_game,
)


def seated(floor):
    return [player for seats in floor.tables for player in seats]


def test_the_loser_goes_to_the_end_and_the_head_takes_his_seat():
    floor = record_game(open_floor([1, 2, 3, 4, 5, 6], 1), 0, loser=3)
    assert floor.tables == ((1, 2, 5, 4),)
    assert floor.waiting == (6, 3)


def test_nobody_leaves_while_nobody_waits():
    floor = record_game(open_floor([1, 2, 3, 4], 1), 0, loser=3)
    assert (floor.tables, floor.waiting) == (((1, 2, 3, 4),), ())


def test_a_cap_sends_off_who_has_played_enough_in_a_row():
    floor = open_floor([1, 2, 3, 4, 5, 6, 7], 1, cap=2)
    floor = record_game(floor, 0, loser=4)
    assert floor.tables == ((1, 2, 3, 5),)
    floor = record_game(floor, 0, loser=5)
    assert floor.tables == ((7, 4, 3, 6),)  # three wait, so the last of the tired stays
    assert floor.waiting == (5, 1, 2)


@pytest.mark.parametrize(("look", "seated_next"), [(1, 5), (2, 6)])
def test_look_ahead_prefers_who_has_met_the_others_least(look, seated_next):
    floor = Floor(((1, 2, 3, 4),), waiting=(5, 6, 7), look=look, met=Counter({(1, 5): 3}))
    floor = record_game(floor, 0, loser=4)
    assert floor.tables == ((1, 2, 3, seated_next),)
    assert floor.passed_over == Counter({5: 1} if look == 2 else {})


def test_patience_lets_the_head_of_the_queue_in():
    floor = Floor(
        ((1, 2, 3, 4),), (5, 6), look=2, met=Counter({(1, 5): 9}), passed_over=Counter({5: 2})
    )
    assert record_game(floor, 0, loser=4).tables == ((1, 2, 3, 5),)


def test_nobody_is_passed_over_more_often_than_patience_allows():
    rng, waits = random.Random(5), 0
    floor = open_floor(range(9), 1, look=4, patience=2)
    for _ in range(200):
        floor = record_game(floor, 0, loser=rng.choice(floor.tables[0]))
        waits = max(waits, *floor.passed_over.values(), 0)
        assert sorted(seated(floor) + list(floor.waiting)) == list(range(9))
    assert waits == 2


def test_a_newcomer_queues_or_fills_an_empty_chair():
    assert arrive(open_floor([1, 2, 3, 4], 1), 9).waiting == (9,)
    assert arrive(open_floor([1, 2, 3], 1), 9).tables == ((1, 2, 3, 9),)


def test_four_who_wait_open_a_free_table():
    floor = open_floor([1, 2, 3, 4], 2)
    for player in (5, 6, 7, 8):
        floor = arrive(floor, player)
    assert floor.tables == ((1, 2, 3, 4), (5, 6, 7, 8))
    assert floor.waiting == ()


def test_an_open_night_forms_tables_as_people_come():
    floor = open_floor([], 2)
    for player in range(9):
        floor = arrive(floor, player)
    assert floor.tables == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert floor.waiting == (8,)


def test_the_queue_fills_the_chair_of_who_goes_home():
    floor = leave(open_floor([1, 2, 3, 4, 5], 1), 2)
    assert (floor.tables, floor.waiting) == (((1, 5, 3, 4),), ())
    assert leave(floor, 1).tables == ((5, 3, 4),)
    assert leave(open_floor([1, 2, 3, 4, 5], 1), 5).waiting == ()


def test_first_in_first_out_serves_the_queue_in_order():
    floor, came = open_floor(range(12), 1), []
    for _ in range(8):
        loser = floor.tables[0][0]
        came.append(floor.waiting[0])
        floor = record_game(floor, 0, loser)
        assert floor.tables[0][0] == came[-1]
    assert came == [4, 5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: open_floor([1, 2], 0), "at least 1 table"),
        (lambda: open_floor([1, 1], 1), "only once"),
        (lambda: open_floor([1, 2], 1, cap=0), "at least 1"),
        (lambda: record_game(open_floor([1, 2], 1), 0, 7), "Player 7 does not sit at table 1"),
        (lambda: arrive(open_floor([1, 2], 1), 2), "Player 2 is here already"),
        (lambda: leave(open_floor([1, 2], 1), 3), "Player 3 is not here"),
    ],
)
def test_impossible_events_are_refused_in_words(call, message):
    with pytest.raises(SeatingError, match=message):
        call()


@pytest.mark.parametrize(
    ("players", "least", "sizes", "waiting"),
    [(5, 3, [4, 0], 1), (6, 3, [3, 3], 0), (6, 4, [4, 0], 2), (9, 3, [4, 4], 1), (2, 3, [2, 0], 0)],
)
def test_as_many_tables_open_as_the_players_fill(players, least, sizes, waiting):
    floor = open_floor(range(players), 2, least=least)
    assert [len(seats) for seats in floor.tables] == sizes
    assert len(floor.waiting) == waiting


def test_empty_chairs_are_filled_before_a_table_is_opened():
    floor = fill(Floor(((1, 2, 3), (), (4, 5)), waiting=(6, 7, 8, 9, 10, 11, 12)))
    assert floor.tables == ((1, 2, 3, 6), (9, 10, 11, 12), (4, 5, 7, 8))
    assert floor.waiting == ()
