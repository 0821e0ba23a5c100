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


Holds = Callable[[Sequence[SampledDeal]], list[bool]]
"""A function that returns, for each interval of some deals, whether it contains the true value."""


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


def claims(people: Sequence[SampledDeal], bots: int, design: str = "rotations") -> dict[str, Holds]:
    """Return, for each kind of interval, the check of its intervals against the population."""
    unit = 2 * (table_size(bots, design) - 1) * chairs_of_deal(bots, design)
    chairs = chairs_of_deal(bots, design)
    everything = _sums(people, bots)
    strengths = [everything[0].mean(bot, unit).mean for bot in range(bots)]
    moneys = [everything[1].mean(bot, chairs).mean for bot in range(bots)]
    chops = [everything[2].mean(bot, chairs).mean for bot in range(bots)]
    orders: Counter[Order] = Counter()
    for deal in people:
        orders.update(deal.orders)
    elo = [one.rating for one in rate([orders], bots, "truth", 2)]

    def strength(deals: Sequence[SampledDeal]) -> list[bool]:
        found = [_sums(deals, bots)[0].mean(bot, unit) for bot in range(bots)]
        return [one.low <= true <= one.high for one, true in zip(found, strengths, strict=True)]

    def difference(deals: Sequence[SampledDeal]) -> list[bool]:
        scores = _sums(deals, bots)[0]
        pairs = [(a, b) for a in range(bots) for b in range(a)]
        gaps = [(scores.difference(a, b, unit), strengths[a] - strengths[b]) for a, b in pairs]
        return [one.low <= true <= one.high for one, true in gaps]

    def stakes(deals: Sequence[SampledDeal]) -> list[bool]:
        found = [_sums(deals, bots)[1].mean(bot, chairs) for bot in range(bots)]
        return [one.low <= true <= one.high for one, true in zip(found, moneys, strict=True)]

    def chopping(deals: Sequence[SampledDeal]) -> list[bool]:
        found = [_sums(deals, bots)[2].rate(bot, chairs, chairs) for bot in range(bots)]
        return [one.low <= true <= one.high for one, true in zip(found, chops, strict=True)]

    def rating(deals: Sequence[SampledDeal]) -> list[bool]:
        found = rate([deal.orders for deal in deals], bots, str(deals[0].scores), 200)
        return [one.low <= true <= one.high for one, true in zip(found, elo, strict=True)]

    return {
        "strength": strength,
        "difference of two": difference,
        "stakes won": stakes,
        "chops made": chopping,
        "rating": rating,
    }


def coverage(
    people: Sequence[SampledDeal], holds: Holds, size: int, rounds: int, rng: Random
) -> float:
    """Return the share of intervals that contain the true value, over `rounds` tournaments."""
    kept = [held for _ in range(rounds) for held in holds(rng.choices(people, k=size))]
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
    for what, holds in claims(people, len(bots)).items():
        shares = []
        for size in SIZES:
            fewer = RATED if what == "rating" else max(1, size // 100)
            rounds = max(1, asked.rounds // fewer)
            rng = Random(f"{asked.seed}|{what}|{size}")
            shares.append(coverage(people, holds, size, rounds, rng))
        print(f"| {what} | {' | '.join(f'{100 * share:.1f}' for share in shares)} |", flush=True)


def _sums(deals: Sequence[SampledDeal], bots: int) -> tuple[Moments, Moments, Moments]:
    return (
        Moments.of([deal.scores for deal in deals], bots),
        Moments.of([deal.money for deal in deals], bots),
        Moments.of([deal.chops for deal in deals], bots),
    )


if __name__ == "__main__":
    main()
