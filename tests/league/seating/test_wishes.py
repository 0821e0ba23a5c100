import pytest

from league.seating import SeatingError, next_round, plan
from tests.league.seating.helpers import everybody_once, meetings, repeats


def test_pairs_kept_apart_never_share_a_table():
    apart = [(0, 1), (0, 2), (1, 2), (5, 9), (30, 31)]
    rounds = plan(32, 8, seed=1, apart=apart).rounds
    met = meetings(rounds)
    assert [met[frozenset(pair)] for pair in apart] == [0] * 5
    assert repeats(rounds) == 0


def test_keeping_apart_outweighs_a_repeat():
    schedule = plan(16, 5, seed=1, apart=[(3, 4)], effort="quick")
    assert schedule.quality.apart_violations == 0
    assert schedule.quality.repeats >= schedule.quality.bound == 1


@pytest.mark.parametrize(("players", "rounds", "size"), [(64, 12, 8), (24, 6, 3), (100, 10, 10)])
def test_club_mates_do_not_meet_where_the_schedule_has_room(players, rounds, size):
    clubs = [player % (players // size) for player in range(players)]
    schedule = plan(players, rounds, seed=1, clubs=clubs)
    met = meetings(schedule.rounds)
    assert sum(met[pair] for pair in met if len({clubs[p] for p in pair}) == 1) == 0
    assert schedule.quality.club_meetings == schedule.quality.repeats == 0


def test_players_without_a_club_are_nobodys_mates():
    assert plan(16, 5, seed=1, clubs=[None] * 16).quality.club_meetings == 0


@pytest.mark.parametrize(
    ("players", "rounds", "seats"),
    [
        (16, 4, {3: 0}),
        (32, 8, {3: 0, 5: 0, 9: 2}),
        (30, 7, {1: 3, 2: 3}),
        (7, 4, {2: 3}),
        (5, 4, {4: 0, 2: 2}),
    ],
)
def test_a_fixed_seat_is_always_given(players, rounds, seats):
    schedule = plan(players, rounds, seed=1, fixed_seats=seats, effort="quick")
    assert everybody_once(schedule.rounds, players)
    for table in (table for tables in schedule.rounds for table in tables):
        for player in set(table) & set(seats):
            assert table.index(player) == seats[player]
    assert schedule.quality.seat_misses == 0
    assert schedule.quality.seat_spread <= 2


def test_the_next_round_respects_the_wishes_of_those_present():
    history = [[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]]
    tables, quality = next_round(
        history, range(1, 13), seed=1, apart=[(1, 5), (2, 99)], fixed_seats={7: 2, 99: 0}
    )
    assert not any({1, 5} <= set(table) for table in tables)
    assert [table.index(7) for table in tables if 7 in table] == [2]
    assert (quality.apart_violations, quality.seat_misses) == (0, 0)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"apart": [(0, 99)]}, "no player 99 to keep apart: players are numbered 0 to 7"),
        ({"apart": [(3, 3)]}, "pairs of two different ones"),
        ({"clubs": [1, 2]}, "for each of the 8 players; 2 came"),
        ({"fixed_seats": {9: 0}}, "no player 9 to give a fixed seat"),
        ({"fixed_seats": {0: 4}}, "Seats are numbered 0 to 3; player 0 got 4"),
        (
            {"fixed_seats": {0: 1, 1: 1, 2: 1}},
            r"Seat 1 is fixed for more players \(3\) than there are tables with that seat \(2\)",
        ),
    ],
)
def test_senseless_wishes_are_refused_in_words(wishes, message):
    with pytest.raises(SeatingError, match=message):
        plan(8, 2, seed=1, **wishes)


def test_a_night_goes_on_when_a_fixed_seat_is_missing_and_says_so():
    tables, quality = next_round([], range(6), seed=1, fixed_seats={0: 3})
    assert [len(table) for table in tables] == [3, 3]
    assert quality.seat_misses == 1


def test_the_fourth_seat_does_not_exist_at_threes():
    with pytest.raises(SeatingError, match=r"tables with that seat \(0\)"):
        plan(6, 2, seed=1, fixed_seats={0: 3})
