"""A night's plan after one person came, left or sat out, and after another draw of a round."""

import random

import pytest

from league.seating import next_round
from league.seating.adapting import adapt
from league.seating.history import read_history
from league.seating.quality import short_seats
from tests.league.seating.helpers import repeats


def evening(attendance, again=(), *, stored=True, swapped=None):
    """Return the rounds of a night for these lists of people; those of `again` are redrawn once.

    In the round `swapped` two players change tables by hand.
    """
    history, planned = [], None
    for number, here in enumerate(attendance):
        drawn = next_round(
            history,
            here,
            seed=901,
            ahead=len(attendance) - number,
            planned=planned,
            changed=swapped is not None and number == swapped + 1,
            turn=int(number in again),
        )
        if number == swapped:
            one, other, *_more = drawn.tables
            one[0], other[0] = other[0], one[0]
        history.append(drawn.tables)
        planned = drawn.planned if stored else None
    return history


def test_one_who_leaves_costs_no_repeat():
    assert repeats(evening([range(24)] + 6 * [range(1, 24)])) == 0


def test_one_who_sits_out_a_round_costs_no_repeat():
    assert repeats(evening(2 * [range(24)] + [range(1, 24)] + 4 * [range(24)])) == 0


def test_one_who_comes_late_costs_at_most_one_repeat():
    assert repeats(evening([range(28)] + 7 * [range(29)])) <= 1


@pytest.mark.parametrize(("players", "rounds"), [(22, 7), (24, 7), (32, 8)])
def test_other_draws_of_rounds_two_three_and_four_cost_no_repeat(players, rounds):
    first, other = (evening(rounds * [range(players)], again) for again in [(), (1, 2, 3)])
    assert repeats(other) == 0
    assert first[0] == other[0]
    assert all(a != b for a, b in zip(first[1:4], other[1:4], strict=True))


@pytest.mark.parametrize("gone", [0, 1])
def test_a_night_without_its_plan_finds_it_by_the_seed_of_the_first_round(gone):
    here = range(gone, 24)
    assert repeats(evening([range(24)] + 6 * [here], stored=False)) == 0


def test_a_round_swapped_by_hand_is_adapted_to():
    assert repeats(evening(8 * [range(36)], swapped=0)) == 0


def test_once_every_round_of_the_plan_was_drawn_another_one_is_sought():
    first = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    planned = [[0, 1, 4, 8], [2, 5, 6, 9], [3, 7, 10, 11]]
    drawn = [
        next_round([first], range(12), seed=901, ahead=1, planned=[planned], turn=turn)
        for turn in (0, 1)
    ]
    tables = [sorted(sorted(table) for table in each.tables) for each in drawn]
    assert tables[0] == planned != tables[1]


def test_adapting_changes_only_what_it_must():
    weights = [[0] * 9 for _ in range(9)]
    planned = [[[0, 1, 2, 3], [4, 5, 6, 7]]]
    (tables,) = adapt(planned, [3, 3, 3], weights, random.Random(1))
    assert [len(table) for table in tables] == [3, 3, 3]
    assert set(tables[0]) < {0, 1, 2, 3}
    assert set(tables[1]) < {4, 5, 6, 7}
    assert 8 in tables[2]


def test_latecomers_begin_with_the_median_of_short_tables():
    rounds = [[[0, 1, 2, 3], [4, 5, 6]], [[4, 5, 6, 0], [1, 2, 3]]]
    assert read_history(rounds, range(8)).short == [0, 1, 1, 1, 1, 1, 1, 1]
    assert read_history(rounds[:1], range(8)).short == [0, 0, 0, 0, 1, 1, 1, 0]


def test_who_had_most_small_tables_takes_the_places_with_the_fewest():
    had = {player: float(player % 3) for player in range(17)}
    drawn = next_round([], range(17), seed=2, ahead=5, shorted=had)
    plain = next_round([], range(17), seed=2, ahead=5)
    rounds = [drawn.tables, *drawn.planned]
    short = short_seats(rounds)
    mean = [sum(short[p] for p in range(17) if p % 3 == rest) / 6 for rest in (0, 2)]
    assert mean[0] > mean[1]
    assert repeats(rounds) == repeats([plain.tables, *plain.planned])


def test_over_a_season_small_tables_stay_near_a_fair_share():
    """Twelve nights of 17 people who come four times of five."""
    rng, had = random.Random(0), dict.fromkeys(range(17), 0.0)
    for night in range(12):
        here = [p for p in range(17) if rng.random() < 0.8]
        first = next_round([], here, seed=night, ahead=5, shorted=had)
        for tables in [first.tables, *first.planned]:
            small = {p for t in tables if len(t) < max(map(len, tables)) for p in t}
            for player in here:
                had[player] += (player in small) - len(small) / len(here)
    assert max(map(abs, had.values())) <= 2
