"""The promises for evenings with changes; `script/lab/bench-seating --evenings` has the figures."""

import pytest

from tests.league.seating.evenings import RESTING, RESTLESS, SIZES, one_change, restless, rests

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("players", "rounds"), SIZES)
def test_one_change_costs_one_repeat_at_most_and_four_at_22(players, rounds):
    cost = one_change(players, rounds)
    assert cost["nothing"] == cost["rounds 2, 3, 4 drawn again"] == 0
    assert max(cost.values()) <= (4 if players == 22 else 1)


@pytest.mark.parametrize(("players", "churn"), RESTLESS)
def test_draws_of_restless_nights_have_few_repeats_and_latecomers_their_share(players, churn):
    drew, possible, late, fair = restless(players, churn)
    assert drew <= 1.1 * possible + 2
    assert late <= 1.15 * fair + 2


@pytest.mark.parametrize("players", RESTING)
def test_latecomers_rest_in_turn_and_nobody_twice_running(players):
    rested, offered, twice = rests(players)
    assert rested <= 1.1 * offered
    assert twice == 0
