"""Plackett-Luce ratings find the strengths that made the games."""

import math
from collections import Counter
from random import Random

import pytest

from engine.statistics import fit, rate

TRUE = [2.0, 1.0, 1.0, 0.5]


def play(rng: Random, strengths: list[float], games: int = 4) -> Counter:
    """A deal's games by the model itself: each place is drawn by strength from those left."""
    deal: Counter = Counter()
    for _ in range(games):
        left = list(range(len(strengths)))
        order = []
        while left:
            chosen = rng.choices(left, [strengths[entry] for entry in left])[0]
            left.remove(chosen)
            order.append((chosen,))
        deal[tuple(order)] += 1
    return deal


def deals(seed: str, count: int, strengths: list[float] = TRUE) -> list[Counter]:
    rng = Random(seed)
    return [play(rng, strengths) for _ in range(count)]


def test_two_entries_are_rated_by_their_share_of_wins():
    strengths = fit({((0,), (1,)): 3000, ((1,), (0,)): 1000}, 2)
    assert strengths[0] / strengths[1] == pytest.approx(3, rel=0.01)


def test_the_strengths_that_made_the_games_are_found():
    games: Counter = sum(deals("fit", 2000), Counter())
    assert fit(games, 4) == pytest.approx(TRUE, rel=0.06)


def test_a_shared_place_rates_those_who_share_it_alike():
    strengths = fit({((0,), (1, 2)): 100}, 3)
    assert strengths[0] > strengths[1]
    assert strengths[1] == pytest.approx(strengths[2])


def test_one_who_never_loses_has_a_finite_rating():
    found = rate([{((0,), (1,)): 1}] * 30, 2, "seed", samples=20)
    assert math.isfinite(found[0].high)
    assert found[0].low > 0 > found[1].high


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others():
    games = deals("seeds", 40)
    assert rate(games, 4, "a", 20) == rate(games, 4, "a", 20) != rate(games, 4, "b", 20)


def test_the_order_of_the_deals_does_not_change_a_rating():
    games = deals("order", 50)
    first, turned = rate(games, 4, "a", 10), rate(games[::-1], 4, "a", 10)
    assert [r.rating for r in first] == pytest.approx([r.rating for r in turned])


@pytest.mark.long
def test_bootstrap_intervals_hold_the_truth_about_as_often_as_they_say():
    true = 400 * math.log10(TRUE[0])
    held = 0
    for n in range(300):
        found = rate(deals(f"cover {n}", 80), 4, str(n), 200)[0]
        held += found.low <= true <= found.high
    assert held / 300 == pytest.approx(0.95, abs=0.05)
