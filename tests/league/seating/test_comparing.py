"""Duplicate nights: meetings and comparisons are balanced together."""

import random
from collections import Counter
from itertools import combinations

import pytest

from league.seating import next_round, plan
from league.seating.comparing import compare_evenly, comparisons, cost, least_cost
from tests.league.seating.helpers import everybody_once, meetings


def together(rounds, players):
    """Return (meetings, comparisons) of every pair, counted by hand."""
    met = meetings(rounds)
    held = Counter(
        frozenset((one[chair], other[chair]))
        for tables in rounds
        for one, other in combinations(tables, 2)
        for chair in range(len(one))
    )
    pairs = map(frozenset, combinations(range(players), 2))
    return [(met[pair], held[pair]) for pair in pairs]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_five_rounds_of_16_everybody_meets_and_is_compared_with_everybody_once(seed):
    rounds = plan(16, 5, seed=seed, effort="quick", compare=True).rounds
    assert everybody_once(rounds, 16)
    assert together(rounds, 16) == [(1, 1)] * 120


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_four_rounds_of_16_nobody_is_left_out(seed):
    rounds = plan(16, 4, seed=seed, effort="quick", compare=True).rounds
    assert Counter(together(rounds, 16)) == {(1, 1): 72, (1, 0): 24, (0, 1): 24}


@pytest.mark.parametrize(("players", "rounds", "worse"), [(8, 4, 0), (20, 4, 16), (32, 4, 40)])
def test_other_fields_come_near_the_bound(players, rounds, worse):
    drawn = plan(players, rounds, seed=1, effort="quick", compare=True).rounds
    assert least_cost(drawn) <= cost(drawn) <= least_cost(drawn) + worse
    assert cost(drawn) == sum(c * c + m * c for m, c in together(drawn, players))


def test_a_night_drawn_round_by_round_follows_the_plan():
    history, planned = [], []
    for left in (5, 4, 3, 2, 1):
        tables, _quality, planned = next_round(
            history, range(16), seed=4, ahead=left, compare=True, planned=planned
        )
        history.append(tables)
    assert together(history, 16) == [(1, 1)] * 120


def test_a_round_after_someone_left_still_balances_what_was_held_before():
    history = plan(20, 3, seed=1, effort="quick", compare=True).rounds
    stay = [player for player in range(20) if player not in (3, 7, 11, 15)]
    tables, _quality, _planned = next_round(history, stay, seed=1, ahead=2, compare=True)
    lot = random.Random(1)
    by_lot = sorted(cost([*history, [lot.sample(t, 4) for t in tables]]) for _ in range(20))
    assert sorted(player for table in tables for player in table) == stay
    assert cost([*history, tables]) <= by_lot[0] < by_lot[-1]


def test_hands_are_compared_at_tables_of_one_size_only():
    rounds = [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10]]]
    assert comparisons(rounds) == {(0, 4): 1, (1, 5): 1, (2, 6): 1, (3, 7): 1}
    (drawn,) = compare_evenly(rounds, random.Random(1))
    assert [sorted(table) for table in drawn] == rounds[0]


@pytest.mark.parametrize(("players", "teams"), [(8, 2), (12, 3), (16, 4)])
def test_team_mates_never_hold_the_same_hand_and_share_tables_as_little_as_can_be(players, teams):
    """Two teams at two tables: each hand that one of them holds, the other holds at the other."""
    clubs = [player % teams for player in range(players)]
    whole = plan(players, 4, seed=1, effort="quick", clubs=clubs, compare=True).rounds
    single, _quality, _planned = next_round(
        [], range(players), seed=1, clubs=dict(enumerate(clubs)), compare=True
    )
    for rounds in (whole, [single]):
        assert all(clubs[a] != clubs[b] for a, b in comparisons(rounds))
        for table in (table for tables in rounds for table in tables):
            assert max(Counter(clubs[player] for player in table).values()) == -(-4 // teams)
