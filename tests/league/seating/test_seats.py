import random

import pytest

from league.seating.dealers import first_dealers
from league.seating.neighbours import neighbour_repeats, relations, vary_neighbours
from league.seating.seats import Chairs
from league.seating.sizes import table_sizes
from tests.league.seating.helpers import widest_seat_gap


def shuffled_rounds(players, rounds, seed):
    rng = random.Random(seed)
    drawn = []
    for _ in range(rounds):
        order = iter(rng.sample(range(players), players))
        drawn.append([[next(order) for _ in range(size)] for size in table_sizes(players)])
    return drawn


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("players", "gap"), [(16, 0), (24, 0), (48, 0), (17, 1), (22, 1), (35, 1)])
def test_any_rounds_can_be_seated_evenly(players, gap, seed):
    rounds = shuffled_rounds(players, 8, seed)
    seated = Chairs(rounds).rounds()
    assert widest_seat_gap(seated, players) <= gap
    assert [[set(t) for t in tables] for tables in seated] == [
        [set(t) for t in tables] for tables in rounds
    ]


def test_neighbours_vary_and_seats_stay_even():
    chairs = Chairs(shuffled_rounds(12, 8, 1))
    before = neighbour_repeats(chairs.rounds())
    vary_neighbours(chairs, random.Random(1))
    after = neighbour_repeats(chairs.rounds())
    assert after < before
    assert widest_seat_gap(chairs.rounds(), 12) == 0


def test_relations_name_the_side_as_the_smaller_number_sees_it():
    assert set(relations([4, 1, 3, 2])) == {
        (1, 4, "before"),
        (1, 3, "after"),
        (1, 2, "across"),
        (3, 4, "across"),
        (2, 4, "after"),
        (2, 3, "before"),
    }


def test_neighbour_repeats_count_the_same_player_after_the_same():
    assert neighbour_repeats([[[0, 1, 2, 3]], [[3, 0, 1, 2]]]) == 4
    assert neighbour_repeats([[[0, 1, 2, 3]], [[3, 2, 1, 0]]]) == 0


@pytest.mark.parametrize(("players", "rounds"), [(16, 8), (22, 7), (97, 10), (13, 5), (7, 9)])
def test_first_dealers_are_spread_evenly(players, rounds):
    drawn = shuffled_rounds(players, rounds, 3)
    dealers = first_dealers(drawn)
    deals = [sum(row.count(player) for row in dealers) for player in range(players)]
    assert max(deals) - min(deals) <= 1
    for tables, row in zip(drawn, dealers, strict=True):
        assert all(dealer in table for table, dealer in zip(tables, row, strict=True))


def test_first_dealers_know_who_has_dealt_before():
    assert first_dealers([[[0, 1, 2, 3]]], {0: 1, 1: 1, 2: 0, 3: 2}) == [[2]]
    assert first_dealers([[[5, 6, 7, 8]]]) == [[5]]
