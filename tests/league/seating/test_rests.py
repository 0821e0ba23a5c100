"""Who sits out: in turn, nobody twice running while another can."""

import random
from collections import Counter

import pytest

from league.seating import who_rests


@pytest.mark.parametrize("players", [5, 6, 7, 9, 10, 11])
def test_rests_of_those_who_stay_differ_by_one_at_most(players):
    rng, rounds, had = random.Random(players), [], Counter()
    for _ in range(12):
        out = who_rests(rounds, range(players), players % 4, rng)
        assert not rounds or players < 2 * len(out) or not out & rounds[-1][1]
        rounds.append((set(range(players)) - out, out))
        had.update(out)
        assert max(had.values()) - min(had[p] for p in range(players)) <= 1


def test_one_back_from_a_break_does_not_rest_at_once():
    rounds = [({0, 1, 2, 3, 4, 5, 6, 7}, {8}), ({1, 2, 3, 4, 5, 6, 7, 8}, set())]
    for seed in range(40):
        assert not who_rests(rounds, range(9), 1, random.Random(seed)) & {0}


def test_a_latecomer_begins_with_the_median_of_rests():
    seated = [({1, 2, 3, 4}, {0}), ({0, 2, 3, 4}, {1}), ({0, 1, 3, 4}, {2}), ({0, 1, 2, 4}, {3})]
    assert who_rests(seated, range(6), 1, random.Random(1)) == {4}
    later = [*seated, ({0, 1, 2, 3}, {4})]
    rested = [who_rests(later, range(6), 1, random.Random(seed)) for seed in range(40)]
    assert {4} not in rested
    assert 0 < rested.count({5}) < 20
