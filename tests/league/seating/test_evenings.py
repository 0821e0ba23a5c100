"""The promises for evenings with changes; `script/lab/bench-seating --evenings` has the figures."""

import pytest

from tests.league.seating.evenings import (
    RESTING,
    RESTLESS,
    SIZES,
    at_most,
    one_change,
    restless,
    rests,
)


def assert_cheap(cost, players):
    too_many = {
        name: repeats
        for (name, repeats), most in zip(cost.items(), at_most(players), strict=True)
        if repeats > most
    }
    assert not too_many


@pytest.mark.parametrize(("players", "rounds"), SIZES[1:5])
def test_one_change_and_another_draw_cost_nearly_nothing(players, rounds):
    assert_cheap(one_change(players, rounds, seeds=[900]), players)


@pytest.mark.long
@pytest.mark.parametrize(("players", "rounds"), SIZES)
def test_one_change_costs_few_repeats_on_average_and_four_at_22(players, rounds):
    assert_cheap(one_change(players, rounds), players)


@pytest.mark.long
@pytest.mark.parametrize(("players", "churn"), RESTLESS)
def test_draws_of_restless_nights_have_few_repeats_and_latecomers_their_share(players, churn):
    drew, possible, late, fair = restless(players, churn)
    assert drew <= 1.1 * possible + 2
    assert late <= 1.15 * fair + 2


@pytest.mark.long
@pytest.mark.parametrize("players", RESTING)
def test_latecomers_rest_in_turn_and_nobody_twice_running(players):
    rested, offered, twice = rests(players)
    assert rested <= 1.1 * offered
    assert twice == 0
