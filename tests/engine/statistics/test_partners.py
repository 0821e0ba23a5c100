"""Partners are found by what they do, and honest bots are left alone at a stated rate.

The helper is that of a measured table of greedies: its partner beats 60.7 % of its opponents
instead of 50, the helper itself 32.2 %. Honest seasons follow the model of the ratings, with the
luck of each deal in common to its games.
"""

from collections import Counter
from random import Random

import pytest

from engine.statistics.partners import DOUBT, partners
from engine.statistics.ratings import Order

BOTS = 8
STRONGER, WEAKER = 1.55, 0.36
"""What help makes of the strengths of its two: 60 % and 32 % of opponents beaten."""


def order_of(rng: Random, strengths: dict[int, float]) -> Order:
    left, found = dict(strengths), []
    while left:
        [chosen] = rng.choices(list(left), list(left.values()))
        del left[chosen]
        found.append((chosen,))
    return tuple(found)


def season(seed: int, *, helper: bool, deals: int = 400) -> list[Counter[Order]]:
    """Play deals of four games at changing tables; bot 1 helps bot 0 whenever they meet."""
    rng = Random(f"season {seed}")
    skill = [2 ** rng.uniform(-1, 1) for _ in range(BOTS)]
    played = []
    for _ in range(deals):
        table = rng.sample(range(BOTS), 4)
        strengths = {bot: skill[bot] * 2 ** rng.gauss(0, 0.3) for bot in table}
        if helper and {0, 1} <= set(table):
            strengths[0] *= STRONGER
            strengths[1] *= WEAKER
        played.append(Counter(order_of(rng, strengths) for _ in range(4)))
    return played


def named(seasons: range, *, helper: bool, deals: int) -> tuple[int, int]:
    """Return in how many seasons the true pair was named, and in how many any other one."""
    true = others = 0
    for seed in seasons:
        found = partners(season(seed, helper=helper, deals=deals), BOTS)
        true += any((one.one, one.helper) == (0, 1) for one in found)
        others += any((one.one, one.helper) != (0, 1) for one in found)
    return true, others


def test_a_helper_is_named_with_the_one_that_it_helps():
    true, others = named(range(8), helper=True, deals=2000)
    assert (true, others) == (8, 0)


def test_honest_bots_are_left_alone():
    true, others = named(range(20), helper=False, deals=400)
    assert true + others == 0


@pytest.mark.long
def test_of_a_thousand_honest_seasons_no_more_are_named_than_stated():
    true, others = named(range(1000), helper=False, deals=250)
    assert true + others <= 1000 * DOUBT * 2
