import random
from collections import Counter
from dataclasses import replace

import pytest

from league.seating import SeatingError
from league.seating.loser_leaves import (
    QueueNight,
    fill,
    leave,
    open_tables,
    record_game,
)


def seated(night):
    return [player for seats in night.tables for player in seats]


def test_the_loser_goes_to_the_end_and_the_head_takes_his_seat():
    night = record_game(open_tables([1, 2, 3, 4, 5, 6], 1), 0, loser=3)
    assert night.tables == ((1, 2, 5, 4),)
    assert night.waiting == (6, 3)


def test_nobody_leaves_while_nobody_waits():
    night = record_game(open_tables([1, 2, 3, 4], 1), 0, loser=3)
    assert (night.tables, night.waiting) == (((1, 2, 3, 4),), ())


def test_a_cap_sends_off_who_has_played_enough_in_a_row():
    night = open_tables([1, 2, 3, 4, 5, 6, 7], 1, cap=2)
    night = record_game(night, 0, loser=4)
    assert night.tables == ((1, 2, 3, 5),)
    night = record_game(night, 0, loser=5)
    assert night.tables == ((7, 4, 3, 6),)  # three wait, so the last of the tired stays
    assert night.waiting == (5, 1, 2)


@pytest.mark.parametrize(("look", "seated_next"), [(1, 5), (2, 6)])
def test_look_ahead_prefers_who_has_met_the_others_least(look, seated_next):
    night = QueueNight(((1, 2, 3, 4),), waiting=(5, 6, 7), look=look, met=Counter({(1, 5): 3}))
    night = record_game(night, 0, loser=4)
    assert night.tables == ((1, 2, 3, seated_next),)
    assert night.passed_over == Counter({5: 1} if look == 2 else {})


def test_one_to_keep_apart_waits_for_another_seat():
    night = QueueNight(((1, 2, 3, 4),), (5, 6, 7), wishes={(1, 5): 1000})
    night = record_game(night, 0, loser=4)
    assert (night.tables, night.waiting) == (((1, 2, 3, 6),), (5, 7, 4))
    assert record_game(night, 0, loser=1).tables == ((5, 2, 3, 6),)


def test_one_to_keep_apart_sits_down_where_nobody_else_waits():
    night = QueueNight(((1, 2, 3, 4),), (5,), wishes={(1, 5): 1000})
    assert record_game(night, 0, loser=4).tables == ((1, 2, 3, 5),)


@pytest.mark.parametrize(("waiting", "following"), [((5, 6, 7), 7), ((5, 6, 8, 7), 5)])
def test_one_who_wants_to_sit_with_a_player_passes_two_others_at_most(waiting, following):
    night = QueueNight(((1, 2, 3, 4),), waiting, wishes={(1, 7): -400})
    assert record_game(night, 0, loser=4).tables == ((1, 2, 3, following),)


def test_patience_lets_the_head_of_the_queue_in():
    night = QueueNight(
        ((1, 2, 3, 4),), (5, 6), look=2, met=Counter({(1, 5): 9}), passed_over=Counter({5: 2})
    )
    assert record_game(night, 0, loser=4).tables == ((1, 2, 3, 5),)


def test_nobody_is_passed_over_more_often_than_patience_allows():
    rng, waits = random.Random(5), 0
    night = open_tables(range(9), 1, look=4)
    for _ in range(200):
        night = record_game(night, 0, loser=rng.choice(night.tables[0]))
        waits = max(waits, *night.passed_over.values(), 0)
        assert sorted(seated(night) + list(night.waiting)) == list(range(9))
    assert waits == 2


def test_four_who_wait_open_a_free_table():
    night = fill(replace(open_tables([1, 2, 3, 4], 2), waiting=(5, 6, 7, 8)))
    assert night.tables == ((1, 2, 3, 4), (5, 6, 7, 8))
    assert night.waiting == ()


def test_the_queue_fills_the_chair_of_who_goes_home():
    night = leave(open_tables([1, 2, 3, 4, 5], 1), 2)
    assert (night.tables, night.waiting) == (((1, 5, 3, 4),), ())
    assert leave(night, 1).tables == ((5, 3, 4),)
    assert leave(open_tables([1, 2, 3, 4, 5], 1), 5).waiting == ()


def test_first_in_first_out_serves_the_queue_in_order():
    night, came = open_tables(range(12), 1), []
    for _ in range(8):
        loser = night.tables[0][0]
        came.append(night.waiting[0])
        night = record_game(night, 0, loser)
        assert night.tables[0][0] == came[-1]
    assert came == [4, 5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: open_tables([1, 2], 0), "at least 1 table"),
        (lambda: open_tables([1, 1], 1), "only once"),
        (lambda: open_tables([1, 2], 1, cap=0), "at least 1"),
        (lambda: record_game(open_tables([1, 2], 1), 0, 7), "Player 7 does not sit at table 1"),
        (lambda: leave(open_tables([1, 2], 1), 3), "Player 3 is not here"),
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
    night = open_tables(range(players), 2, least=least)
    assert [len(seats) for seats in night.tables] == sizes
    assert len(night.waiting) == waiting


def test_empty_chairs_are_filled_before_a_table_is_opened():
    night = fill(QueueNight(((1, 2, 3), (), (4, 5)), waiting=(6, 7, 8, 9, 10, 11, 12)))
    assert night.tables == ((1, 2, 3, 6), (9, 10, 11, 12), (4, 5, 7, 8))
    assert night.waiting == ()
