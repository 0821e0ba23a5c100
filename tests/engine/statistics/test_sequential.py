"""The sequential test keeps its error rates, and sees nothing but the first blocks in order."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.statistics import Estimate, Moments, SequentialTest

TEST = SequentialTest(effect=0.05)
SPREAD = 0.24
"""Of a block's difference, about what paired seats give (docs/arena.md)."""
UNIT = 1000


def growing(truth: float, seed: str, deals: int = 4000, block: int = 25) -> Iterator[Estimate]:
    """The estimates after each block of deals with a known true difference."""
    rng = Random(seed)
    total = Moments.of([], 2)
    for _ in range(deals // block):
        rows = [[round(UNIT * rng.gauss(truth, SPREAD)), 0] for _ in range(block)]
        total += Moments.of(rows, 2)
        yield total.difference(0, 1, UNIT)


def share_called_better(truth: float, rounds: int) -> float:
    verdicts = [TEST.decide(growing(truth, f"{truth} {n}")) for n in range(rounds)]
    assert None not in verdicts
    return sum(verdict.better for verdict in verdicts) / rounds


def test_equal_bots_are_seldom_called_different_and_the_effect_is_seldom_missed():
    # 5 % are meant; of 120 the binomial's 99.9 % range ends at 13 %.
    assert share_called_better(0.0, 120) <= 0.13
    assert share_called_better(TEST.effect, 120) >= 0.87


@pytest.mark.long
def test_both_errors_are_at_most_what_was_asked_for():
    assert share_called_better(0.0, 2000) <= 0.065
    assert share_called_better(TEST.effect, 2000) >= 0.935


def test_there_is_no_verdict_before_the_least_number_of_deals():
    assert TEST.decide([Estimate(0.5, 0.001, 99)]) is None
    assert TEST.decide([Estimate(0.5, 0.001, 100)]).better is True


def test_the_first_verdict_stands_whatever_comes_later():
    estimates = [Estimate(0.05, 0.01, 200), Estimate(-0.2, 0.001, 400)]
    assert TEST.decide(estimates) == TEST.decide(estimates[:1])


def test_bots_that_are_exactly_even_are_not_better():
    assert TEST.decide([Estimate(0.0, 0.0, 100)]).better is False


def test_an_effect_must_be_a_share():
    with pytest.raises(ValueError, match="above 0"):
        SequentialTest(effect=0)
