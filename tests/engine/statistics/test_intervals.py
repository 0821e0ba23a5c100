"""Means and differences over deals, against known truth."""

import math
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.ruleset import preset
from engine.sim.coverage import FIELD, claims, coverage, population
from engine.sim.simulation import play_block
from engine.statistics import (
    Estimate,
    Moments,
    holm,
    likelihood_of_superiority,
    t_below,
    t_quantile,
)

WHOLE = st.integers(-50, 50)


@pytest.mark.parametrize(
    ("freedom", "printed"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042),
     (100, 1.984), (1000, 1.962)],
)  # fmt: skip
def test_student_s_t_is_that_of_the_printed_tables(freedom, printed):
    assert t_quantile(freedom) == pytest.approx(printed, abs=0.0006)


def test_an_interval_needs_two_deals():
    assert Moments.of([[3, 4]], 2).mean(0).margin == math.inf
    assert Moments.of([], 2).mean(0) == Estimate(0.0, math.inf, 0)
    with pytest.raises(ValueError, match="one degree"):
        t_quantile(0)


@given(st.lists(st.tuples(WHOLE, WHOLE), min_size=2, max_size=30))
def test_mean_and_difference_are_those_of_the_textbook(rows):
    moments = Moments.of(rows, 2)
    gaps = [a - b for a, b in rows]
    found = moments.difference(0, 1)
    assert found.mean == pytest.approx(fmean(gaps))
    assert found.error == pytest.approx(stdev(gaps) / math.sqrt(len(gaps)))
    assert moments.mean(0).mean == pytest.approx(fmean(a for a, _ in rows))


@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=1), st.integers(0, 30))
def test_sums_do_not_depend_on_how_and_in_which_order_blocks_are_added(rows, cut):
    one, other = Moments.of(rows[:cut], 3), Moments.of(rows[cut:], 3)
    assert one + other == other + one == Moments.of(rows, 3)


@given(st.lists(st.tuples(WHOLE, WHOLE), max_size=5))
def test_moments_survive_json(rows):
    moments = Moments.of(rows, 2)
    assert Moments.from_json(moments.to_json()) == moments


def test_the_same_bot_twice_differs_by_exactly_nothing():
    tally = play_block(preset("thirteen"), ["random"] * 4, "crn", 0, 5).tally
    moments = Moments.of(tally["deal_scores"], 4)
    found = {(moments.difference(0, bot).mean, moments.difference(0, bot).margin)
             for bot in (1, 2, 3)}  # fmt: skip
    assert found == {(0.0, 0.0)}
    assert likelihood_of_superiority(moments.difference(0, 1)) == 0.5


def test_a_few_deals_that_say_the_same_are_no_certainty():
    few, many = (Moments.of([[3, 1]] * deals, 2).difference(0, 1) for deals in (2, 200))
    assert 0.9 < likelihood_of_superiority(few) < 0.98
    assert likelihood_of_superiority(many) > 0.9999
    assert few.low < 0 < many.low


@pytest.mark.parametrize("deals", [2, 3, 6, 12, 100, 5000])
def test_superiority_is_of_the_same_distribution_as_the_interval(deals):
    touching = Estimate(t_quantile(deals - 1), 1.0, deals)
    assert likelihood_of_superiority(touching) == pytest.approx(0.975, abs=1e-5)
    assert t_below(-touching.mean, deals - 1) == pytest.approx(0.025, abs=1e-5)
    assert t_below(0.0, deals - 1) == 0.5


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_is_never_below_a_claim_alone_nor_beyond_bonferroni(doubts):
    found = holm(doubts)
    for alone, together in zip(doubts, found, strict=True):
        assert alone <= together <= min(1.0, len(doubts) * alone)
    assert sorted(found) == [found[at] for at in sorted(range(len(doubts)), key=doubts.__getitem__)]


def test_holm_is_that_of_the_textbook():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_a_rate_is_never_promised_to_be_nothing_and_never_below_it(counts):
    found = Moments.of([[count] for count in counts], 1).rate(0, 4)
    assert 0 <= found.low <= found.mean < found.high


def test_what_was_not_seen_in_twelve_deals_may_come_once_in_two():
    found = Moments.of([[0]] * 12, 1).rate(0, 4)
    assert (found.low, found.mean) == (0, 0)
    assert 0.2 < found.high < 1.0


@pytest.mark.parametrize("size", [2, 12])
def test_the_intervals_of_real_tournaments_hold_the_truth(size):
    """`python -m engine.sim.coverage` says it more exactly, and of more (docs/arena.md)."""
    people = population(preset("mien-nam"), FIELD, 300, "test")
    told = claims(people, len(FIELD))
    for what in ("strength", "difference of two", "chops made"):
        share = coverage(people, told[what], size, 300, Random(f"{what} {size}"))
        assert share > 0.92, what


def covered(deals: int, rounds: int, seed: str) -> float:
    """How often the interval holds the true mean, for the lumpy sums of a deal's four games."""
    rng = Random(seed)
    held = 0
    for _ in range(rounds):
        rows = [[sum(rng.choice((0, 2, 4, 6)) for _ in range(4))] for _ in range(deals)]
        found = Moments.of(rows, 1).mean(0)
        held += found.low <= 12 <= found.high
    return held / rounds


def test_intervals_hold_the_truth_as_often_as_they_say():
    # Of 2,000 the binomial's own 99.9 % range is 0.934 to 0.966.
    assert covered(20, 2000, "few") == pytest.approx(0.95, abs=0.016)


@pytest.mark.long
@pytest.mark.parametrize("deals", [5, 50, 200])
def test_intervals_hold_the_truth_at_every_number_of_deals(deals):
    assert covered(deals, 10_000, f"long {deals}") == pytest.approx(0.95, abs=0.01)


def test_intervals_over_games_would_be_wrong_where_a_deal_repeats_itself():
    """Why deals: games of one deal that copy each other look like four times the evidence."""
    rng = Random("copies")
    deals = [rng.choice((0, 2, 4, 6)) for _ in range(200)]
    over_deals = Moments.of([[4 * deal] for deal in deals], 1).mean(0, 4)
    over_games = Moments.of([[deal] for deal in deals for _ in range(4)], 1).mean(0)
    assert over_deals.mean == over_games.mean
    assert over_deals.margin / over_games.margin == pytest.approx(2, abs=0.02)
