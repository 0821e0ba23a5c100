"""Luck in a season: results less what the hands were worth."""

from random import Random
from statistics import fmean, pvariance

import pytest

from engine.statistics.intervals import Estimate
from league.seasons.domain.luck import HandPlayed, factors, lucks, over_nights

GAMES = [(1, 0.55), (2 / 3, 0.70), (0, 0.30), (1 / 3, 0.45), (1, 0.80), (1 / 3, 0.60)]


def played(games: list[tuple[float, float]], each: int = 2) -> list[HandPlayed]:
    """One player's games of four as (result, worth), so many a night."""
    return [
        HandPlayed("an", at // each, at, 4, result, worth, 3.0)
        for at, (result, worth) in enumerate(games)
    ]


def fair_season(dice: Random, nights: int, each: int, gap: float = 0.0) -> list[HandPlayed]:
    """A season of four equals, whose hands decide a good half of the results.

    `gap` is how much better the first player is.
    """
    hands = []
    for game in range(nights * each):
        worths = [dice.gauss(0, 1) for _ in range(4)]
        strengths = [w + dice.gauss(gap * (no == 0), 0.6) for no, w in enumerate(worths)]
        order = sorted(range(4), key=lambda no: -strengths[no])
        level = [0.5 + 0.17 * (worth - fmean(worths)) for worth in worths]
        hands += [
            HandPlayed(no, game // each, game, 4, (3 - order.index(no)) / 3, level[no])
            for no in range(4)
        ]
    return hands


def test_until_there_are_many_games_a_worth_counts_six_tenths() -> None:
    for factor in factors(played(GAMES)).values():
        assert factor == pytest.approx(0.6, abs=0.04)  # Six of two hundred games.


def test_the_worked_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six games by the factor 0.6: mean 0.5556 becomes 0.5156, luck +0.72 opponents."""
    monkeypatch.setattr("league.seasons.domain.luck.GAMES_TRUSTED", 10**9)
    luck = lucks(played(GAMES))["an"]
    assert luck.games == 6
    assert luck.adjusted.mean == pytest.approx(0.5156, abs=5e-5)
    assert luck.luck == pytest.approx(0.72, abs=5e-3)
    assert luck.points == pytest.approx(0.72, abs=5e-3)  # One point for each opponent.
    single = lucks(played(GAMES, each=1))["an"].adjusted
    adjusted = [0.970, 0.547, 0.120, 0.363, 0.820, 0.273]
    assert single.error == pytest.approx(over_nights([[y] for y in adjusted]).error, abs=5e-4)


def test_the_factor_of_a_game_does_not_know_that_game() -> None:
    hands = fair_season(Random(7), 60, 4)
    before = factors(hands)
    other = [
        HandPlayed(h.player, h.night, h.game, 4, 1 - h.result, h.worth) if h.game == 5 else h
        for h in hands
    ]
    assert factors(other)[5] == pytest.approx(before[5])
    assert factors(other)[6] != pytest.approx(before[6])


def test_the_error_is_over_nights() -> None:
    """Games of a night that repeat each other say no more than one of them."""
    once, thrice = (
        over_nights([[0.2], [0.5], [0.6]]),
        over_nights([[y] * 3 for y in (0.2, 0.5, 0.6)]),
    )
    assert once.error == pytest.approx(thrice.error)
    assert (once.deals, thrice.deals) == (3, 3)
    assert over_nights([[0.5, 0.7]]) == Estimate(0.6, float("inf"), 1)


def test_luck_of_a_table_sums_to_nothing() -> None:
    found = lucks(fair_season(Random(3), 10, 4))
    assert sum(luck.luck for luck in found.values()) == pytest.approx(0, abs=1e-9)
    assert all(0 <= luck.as_lucky <= 50 for luck in found.values())


def test_simulated_seasons_are_covered_unbiased_and_vary_less() -> None:
    """2,000 seasons of 8 nights with 4 games; the first player is better than the others.

    The intervals hold the truth in 95 ± 1 %, the adjusted means vary by at most 65 % of the raw
    ones, and they mean the same.
    """
    dice = Random(1)
    truth = fmean(h.result for h in fair_season(dice, 4_000, 4, 0.3) if h.player == 0)
    inside, raw, adjusted = 0, [], []
    for _ in range(2_000):
        hands = fair_season(dice, 8, 4, 0.3)
        own = lucks(hands)[0].adjusted
        inside += own.low <= truth <= own.high
        adjusted.append(own.mean)
        raw.append(fmean(hand.result for hand in hands if hand.player == 0))
    assert 94 <= inside / 20 <= 96
    assert pvariance(adjusted) <= 0.65 * pvariance(raw)
    assert fmean(adjusted) == pytest.approx(truth, abs=0.006)


def test_fair_seasons_are_as_lucky_as_is_said() -> None:
    """Of 1,000 fair seasons, a tenth has the luck that at most 10 of 100 have, either way."""
    dice = Random(2)
    told = [lucks(fair_season(dice, 6, 4))[0].as_lucky for _ in range(1_000)]
    assert 0.16 <= fmean(share <= 10 for share in told) <= 0.25
