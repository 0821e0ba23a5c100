import random
from itertools import combinations, permutations

import pytest

from league.seating import lower_bound, next_round
from league.seating.bounds import has_fewer, round_bound


@pytest.mark.parametrize(
    ("players", "rounds", "bound"),
    [
        (16, 5, 0),
        (16, 6, 24),  # 144 meetings of 120 pairs
        (8, 3, 8),  # two tables: any two rounds share four pairs
        (12, 4, 9),
        (20, 5, 0),
        (20, 6, 1),  # proved, not counted
        (20, 7, 20),
        (4, 3, 12),
        (5, 1, 0),
        (1, 9, 0),
    ],
)
def test_bound_counts_what_cannot_be_avoided(players, rounds, bound):
    assert lower_bound(players, rounds) == bound


def test_pairs_kept_apart_raise_the_bound():
    assert lower_bound(16, 5, apart=[(0, 1), (1, 0), (2, 3)]) == 2


def test_a_player_with_too_few_opponents_left_raises_the_bound():
    apart = [(0, other) for other in range(1, 14)]
    assert lower_bound(20, 3, apart=apart) == 2  # nine opponents, six allowed: three lacking


def splits(players, sizes):
    """Yield every way to seat the players at tables of these sizes."""
    if not sizes:
        yield []
        return
    for table in combinations(players, sizes[0]):
        rest = tuple(p for p in players if p not in table)
        for tables in splits(rest, sizes[1:]):
            yield [table, *tables]


@pytest.mark.parametrize(("players", "sizes"), [(6, [3, 3]), (7, [4, 3]), (8, [4, 4]), (5, [3, 2])])
def test_no_two_rounds_of_few_players_beat_the_bound(players, sizes):
    first = next(splits(tuple(range(players)), sizes))
    known = {frozenset(pair) for table in first for pair in combinations(table, 2)}
    best = min(
        sum(frozenset(pair) in known for table in second for pair in combinations(table, 2))
        for second in splits(tuple(range(players)), sizes)
    )
    assert best >= lower_bound(players, 2)


def test_round_bound_counts_players_who_have_met_nearly_all():
    assert round_bound([15] * 16, [4] * 4) == 0
    assert round_bound([2] * 16, [4] * 4) == 8
    assert round_bound([3] * 13 + [2] * 3, [4, 3, 3, 3, 3]) == 0


def test_round_bound_counts_tables_that_cannot_break_up():
    played = [[[0, 1, 2, 3], [4, 5, 6, 7]]]
    assert round_bound([4] * 8, [4, 4], played) == 4
    assert round_bound([], []) == 0


def test_round_bound_holds_for_every_order_of_four_players():
    assert all(round_bound(unmet, [4]) == 3 for unmet in permutations([0, 1, 2, 3]))


@pytest.mark.parametrize("seed", range(3))
def test_small_rounds_are_proved_to_have_the_fewest_repeats(seed):
    """Against all ways to make three tables of three, counted by hand."""
    rng = random.Random(seed)
    history = [
        [table[:] for table in [order[:3], order[3:6], order[6:]]]
        for order in (rng.sample(range(9), 9) for _ in range(4))
    ]
    met = [
        {q for tables in history for t in tables if p in t for q in t if q != p} for p in range(9)
    ]
    least = min(
        sum(
            b in met[a]
            for table in ((order[:3], order[3:6], order[6:]))
            for a, b in combinations(table, 2)
        )
        for order in permutations(range(9))
        if order[0] < order[3] < order[6]
        and all(order[i] < order[i + 1] < order[i + 2] for i in (0, 3, 6))
    )
    assert has_fewer(met, [3, 3, 3], least) is False
    assert has_fewer(met, [3, 3, 3], least + 1) is True
    drawn = next_round(history, range(9), seed=seed, ahead=1)
    assert drawn.quality.repeats == drawn.quality.bound == least


def test_a_proof_that_takes_too_long_is_left_open():
    met = [set(range(24)) - {p} for p in range(24)]
    assert has_fewer(met, [4] * 6, 36, steps=10) is None
