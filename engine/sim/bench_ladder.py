"""``python -m engine.sim.bench_ladder``: whether each rung of the ladder beats the rung below.

One bot plays copies of the one below it, by every ruleset and number of players, each deal in all
seats. A round adds deals to every figure: equal rounds give equal tables everywhere.
"""

import argparse
from itertools import pairwise

from ..bots import LADDER
from ..bots.master import is_learnt
from ..bots.suited import is_suited
from ..core import store
from ..rules.ruleset import Ruleset, preset, preset_keys
from ..statistics import Estimate, Moments
from .simulation import play_block

STEPS = tuple(pairwise(LADDER))
DEALS, USUAL = {"dreamer": 20, "sage": 10, "master": 4}, 150
"""The deals of a round at a table of four, by the higher bot; other tables play as many games."""
SURE = 3
"""A rung loses where it is more than so many standard errors below an even share."""


def tables() -> list[tuple[str, int]]:
    """Return every ruleset with every number of its players."""
    rulesets = map(preset, preset_keys())
    return [(r.key, n) for r in rulesets for n in range(r.min_players, r.max_players + 1)]


def steps(ruleset: Ruleset, players: int) -> list[tuple[str, str]]:
    """Return the rungs, lower and higher, that do not play alike."""
    alike = {"planner": is_suited(ruleset), "master": not is_learnt(ruleset, players)}
    return [step for step in STEPS if not alike.get(step[1])]


def played(key: str, players: int, lower: str, higher: str, number: int) -> Moments:
    """Return the sums of a round's deals: twice the opponents that the higher bot beat."""
    deals = max(2, DEALS.get(higher, USUAL) * 16 // players**2)
    bots = [higher] + [lower] * (players - 1)
    block = play_block(preset(key), bots, "rungs", number * deals, deals)
    return Moments.of([scores[:1] for scores in block.tally["deal_scores"]], 1)


def share(sums: Moments, players: int) -> Estimate:
    """Return the share of opponents beaten in percent; 50 is even."""
    return sums.mean(0, 2 * players * (players - 1) / 100)


def loses(found: Estimate) -> bool:
    return found.mean + SURE * found.spread < 50


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure each rung of the ladder.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ruleset", action="append", choices=preset_keys())
    options = parser.parse_args()
    store.required()
    sums: dict[tuple[str, int, str], Moments] = {}
    for number in range(options.rounds):
        print(f"\nRound {number + 1}\n\n| ruleset | players |", *[h for _, h in STEPS], sep=" | ")
        for key, players in tables():
            if key not in (options.ruleset or preset_keys()):
                continue
            cells = dict.fromkeys((higher for _, higher in STEPS), "alike")
            for lower, higher in steps(preset(key), players):
                at, more = (key, players, higher), played(key, players, lower, higher, number)
                sums[at] = sums[at] + more if at in sums else more
                found = share(sums[at], players)
                low = " loses" if loses(found) else ""
                cells[higher] = f"{found.mean:.1f} ±{found.margin:.1f}{low}"
            print(f"| {key} | {players} |", " | ".join(cells.values()), "|", flush=True)


if __name__ == "__main__":
    main()
