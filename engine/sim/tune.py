"""``python -m engine.sim.tune``: search for better weights of the planner, against greedy bots.

A change of a few weights is kept if it gains on the same deals; each step has new deals. They come
from seeds of their own (``tune|…``), which no published measurement uses.
"""

import argparse
import json
from random import Random

from ..bots import BOTS
from ..bots.planner import PlannerBot
from ..bots.weights import Weights, shipped_weights
from ..rules.ruleset import preset
from .command import interval
from .simulation import play_block


def main() -> None:
    parser = argparse.ArgumentParser(description="Search for weights of the planner.")
    parser.add_argument("--ruleset", action="append")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    best = shipped_weights()
    for step in range(arguments.steps):
        other = _changed(best, rng)
        rulesets = arguments.ruleset or ["tien-len"]
        key = rulesets[step % len(rulesets)]
        seed = f"tune|{arguments.seed}|{step}"
        deals = arguments.deals
        gains = [
            new - old
            for new, old in zip(
                _points(other, key, arguments.opponent, seed, deals),
                _points(best, key, arguments.opponent, seed, deals),
                strict=True,
            )
        ]
        gain, margin = interval(gains)
        # One standard error: a gain is more likely than not, and small ones add up.
        if gain > margin / 2:
            best = other
            print(step, key, f"{gain:.3f} ±{margin:.3f}", json.dumps(best._asdict()), flush=True)
    print(json.dumps(best._asdict(), indent=2))


def _changed(weights: Weights, rng: Random) -> Weights:
    changes = {}
    for name in rng.sample(Weights._fields, 3):
        old = getattr(weights, name)
        changes[name] = old + round(rng.gauss(0, max(4, abs(old) / 4)))
    return weights._replace(**changes)


def _points(weights: Weights, key: str, opponent: str, seed: str, deals: int) -> list[float]:
    """Return a planner's points against three opponents, by deal."""
    BOTS["tuned"] = lambda seed: PlannerBot(seed, weights)
    block = play_block(preset(key), ["tuned", *[opponent] * 3], seed, 0, deals)
    return [scores[0] / 8 for scores in block.tally["deal_scores"]]


if __name__ == "__main__":
    main()
