"""``python -m engine.sim.coverage``: how often a tournament's intervals contain the true values.

Real games make a population of deals. Tournaments of a few deals are drawn from it repeatedly, and
their intervals compared with the values of the whole population.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ..rules.ruleset import Ruleset, preset
from ..statistics import Moments
from ..statistics.ratings import Order, order_of, rate
from .designs import chairs_of_deal, table_size
from .simulation import play_block

SIZES = (2, 5, 12, 100, 1000)
FIELD = ("greedy", "lowest", "random", "greedy")
RATED = 40
"""Ratings cost hundreds of fits each: only one round in this many is rated."""


@dataclass(frozen=True)
class SampledDeal:
    """The result of one deal of the population, for each bot."""

    scores: tuple[int, ...]
    money: tuple[int, ...]
    chops: tuple[int, ...]
    orders: Counter[Order]


Intervals = Callable[[Sequence[SampledDeal]], Sequence[Any]]
Claimed = tuple[Intervals, Sequence[float]]
"""The intervals that some deals give, and the true values that they claim to contain."""


def population(ruleset: Ruleset, bots: Sequence[str], deals: int, seed: str) -> list[SampledDeal]:
    """Play the deals and return the sums of each."""
    found = []
    for number in range(deals):
        tally = play_block(ruleset, bots, seed, number, 1).tally
        orders = Counter(order_of(text) for text in tally["deal_orders"][0].split())
        chops = Moments.from_json(tally["effects"]["chops"]).sums
        [scores], [money] = tally["deal_scores"], tally["deal_net"]
        found.append(SampledDeal(tuple(scores), tuple(money), chops, orders))
    return found


def claims(
    people: Sequence[SampledDeal], bots: int, design: str = "rotations"
) -> dict[str, Claimed]:
    """Return each kind of interval, with the values of the population."""
    chairs = chairs_of_deal(bots, design)
    unit = 2 * (table_size(bots, design) - 1) * chairs
    pairs = [(a, b) for a in range(bots) for b in range(a)]
    orders: Counter[Order] = Counter()
    for deal in people:
        orders.update(deal.orders)
    elo = [one.rating for one in rate([orders], bots, "truth", 2)]

    def sums(deals: Sequence[SampledDeal], what: str) -> Moments:
        return Moments.of([getattr(deal, what) for deal in deals], bots)

    def means(what: str, unit: float) -> Intervals:
        return lambda deals: [sums(deals, what).mean(bot, unit) for bot in range(bots)]

    figures: dict[str, Intervals] = {
        "strength": means("scores", unit),
        "difference of two": lambda deals: [
            sums(deals, "scores").difference(a, b, unit) for a, b in pairs
        ],
        "stakes won": means("money", chairs),
        "chops made": lambda deals: [
            sums(deals, "chops").rate(bot, chairs, chairs) for bot in range(bots)
        ],
    }
    told = {what: (found, [one.mean for one in found(people)]) for what, found in figures.items()}
    return told | {
        "rating": (
            lambda deals: rate([deal.orders for deal in deals], bots, str(deals[0].scores), 200),
            elo,
        )
    }


def coverage(
    people: Sequence[SampledDeal], claim: Claimed, size: int, rounds: int, rng: Random
) -> float:
    """Return the share of intervals that contain the true value, over `rounds` tournaments."""
    intervals, truth = claim
    kept: list[bool] = [
        one.low <= true <= one.high
        for _ in range(rounds)
        for one, true in zip(intervals(rng.choices(people, k=size)), truth, strict=True)
    ]
    return sum(kept) / len(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="tien-len")
    parser.add_argument("--bots", default=",".join(FIELD))
    parser.add_argument("--deals", type=int, default=4000, help="of the population")
    parser.add_argument("--rounds", type=int, default=4000, help="tournaments of each size")
    parser.add_argument("--seed", default="coverage")
    asked = parser.parse_args()
    bots = asked.bots.split(",")
    people = population(preset(asked.ruleset), bots, asked.deals, asked.seed)
    print(f"| 95 % intervals of | {' | '.join(f'{size} deals' for size in SIZES)} |")
    print(f"| --- |{' --- |' * len(SIZES)}")
    for what, claim in claims(people, len(bots)).items():
        shares = []
        for size in SIZES:
            fewer = RATED if what == "rating" else max(1, size // 100)
            rounds = max(1, asked.rounds // fewer)
            rng = Random(f"{asked.seed}|{what}|{size}")
            shares.append(coverage(people, claim, size, rounds, rng))
        print(f"| {what} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |", flush=True)


if __name__ == "__main__":
    main()
