"""The whole table of the benchmark, with the promises that the documentation makes."""

import pytest

from league.seating import plan
from tests.league.seating.helpers import PROMISED, everybody_once, repeats, widest_seat_gap

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("players", "rounds"), PROMISED.items())
def test_every_multiple_of_four_up_to_100_repeats_nothing(players, rounds):
    for fewer in range(1, rounds + 1):
        schedule = plan(players, fewer, seed=fewer)
        assert everybody_once(schedule.rounds, players)
        assert repeats(schedule.rounds) == 0
        assert widest_seat_gap(schedule.rounds, players) <= (fewer % 4 > 0)


@pytest.mark.parametrize("start", range(64, 1001, 50))
def test_every_field_from_64_to_1000_plays_twelve_rounds_without_a_repeat(start):
    for players in range(start, min(start + 50, 1001)):
        schedule = plan(players, 12, seed=1)
        assert schedule.quality.repeats == repeats(schedule.rounds) == 0
        assert schedule.quality.seat_spread <= (players % 4 > 0)
        assert schedule.quality.short_spread <= 2
        assert schedule.quality.dealer_spread <= 1


@pytest.mark.parametrize(
    ("players", "rounds", "at_most"),
    [(10, 5, 20), (11, 5, 24), (13, 4, 0), (13, 5, 5), (14, 5, 3), (17, 5, 0), (18, 5, 0),
     (18, 6, 5), (19, 6, 4), (20, 6, 6), (20, 7, 20), (22, 7, 0), (24, 8, 18), (32, 11, 32)],
)  # fmt: skip
def test_searched_fields_stay_near_the_bound(players, rounds, at_most):
    quality = plan(players, rounds, seed=1).quality
    assert quality.bound <= quality.repeats <= at_most
