"""Intervals for those who look again and again: they hold at every look together."""

import math
from random import Random

import pytest

from engine.statistics import Estimate, Moments
from engine.statistics.anytime import anytime, evidence, width_anytime


def ever_missed(truth: float, deals: int, rounds: int, seed: str) -> tuple[float, float]:
    """How often an interval missed the truth at any look: the usual one, and this one."""
    rng, usual, always = Random(seed), 0, 0
    for _ in range(rounds):
        total = Moments.of([], 2)
        once = [False, False]
        for _block in range(deals // 10):
            rows = [[sum(rng.choice((0, 2, 4, 6)) for _ in range(4)), 0] for _ in range(10)]
            total += Moments.of(rows, 2)
            found = total.difference(0, 1)
            for way, one in enumerate((found, anytime(found))):
                once[way] |= not one.low <= truth <= one.high
        usual, always = usual + once[0], always + once[1]
    return usual / rounds, always / rounds


def test_who_looks_forty_times_is_wrong_once_in_twenty_at_most():
    usual, always = ever_missed(12, 400, 300, "looks")
    # 5 % are meant; of 300 the binomial's 99.9 % range ends at 9.3 %.
    assert usual > 0.2
    assert always <= 0.093


@pytest.mark.long
def test_nor_is_who_looks_after_every_block_of_a_long_run():
    assert ever_missed(12, 4000, 1000, "long looks")[1] <= 0.06


@pytest.mark.parametrize("deals", [25, 100, 5000])
def test_evidence_and_interval_agree(deals):
    assert evidence(width_anytime(deals), deals) == pytest.approx(20)
    at_zero = anytime(Estimate(width_anytime(deals), 1.0, deals))
    assert at_zero.low == pytest.approx(0)
    assert at_zero.doubt == pytest.approx(0.05)


def test_a_few_deals_say_nothing_and_many_nearly_as_much_as_a_fixed_number():
    assert width_anytime(12) == math.inf
    assert anytime(Estimate(0.1, 0.01, 12)).high == math.inf
    many = Estimate(0.0, 1.0, 2000)
    assert 1 < anytime(many).margin / many.margin < 1.8


def test_bots_that_are_even_on_every_deal_are_equal_for_certain():
    assert anytime(Estimate(0.0, 0.0, 100)).margin == 0
    assert anytime(Estimate(0.0, 0.0, 100)).doubt == 1
