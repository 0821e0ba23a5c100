"""``python -m engine.sim.bench_judge RULESET``: whether the judge's differences come true.

Pairs of choices are forced in the *true* deal and masters play on: the hands really held are a fair
draw from what the seat could expect, so no belief is needed. The slope of the truth on what the
judge says should be 1. Decisions of each bot are reviewed too: a better bot gives away less.

With ``--queue`` the reviews of so many games are timed instead, for one seat each, and two workers
are simulated that make those of 200 busy tables. With ``--puzzles`` the best puzzle of each game is
checked, until there were so many.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from heapq import heapreplace
from math import sqrt
from random import Random
from statistics import fmean, median, quantiles, stdev
from typing import Any, NamedTuple

from ..bots import judge, make, puzzles
from ..bots.master import distinct
from ..core import store
from ..rules import game
from ..rules.actions import SeatAction
from ..rules.deal import deal
from ..rules.observation import Observation
from ..rules.ruleset import preset
from ..rules.state import OVER, PLAY, State

BOTS = ["master"] * 4 + ["planner"] * 3 + ["greedy"] * 2 + ["lowest"]
PAIRS, REVIEWED = 0.15, 0.15
"""The shares of decisions that give a pair, and that are reviewed."""
DEALS = 40
WORKERS, TABLES, GAME, HOUR = 2, 200, 161, 3600
"""Of the simulated queue; a game of one person with three bots takes so many seconds."""


class _Pair(NamedTuple):
    """How much better one choice did than another: truly, and by each half of the judge's deals."""

    true: float
    one: float
    other: float


class _Found(NamedTuple):
    """What one game gave: pairs by opponents beaten and by money, and losses by bot."""

    places: list[_Pair]
    money: list[_Pair]
    losses: list[tuple[str, float]]
    decisions: list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description="Test the judge in the true deals.")
    parser.add_argument("ruleset")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="judge")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--queue", action="store_true")
    parser.add_argument("--puzzles", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.puzzles:
        _report_puzzles(arguments)
        return
    if arguments.queue:
        _report_queue([_cost(arguments, number) for number in range(arguments.games)])
        return
    found: list[_Found] = []
    with ProcessPoolExecutor(arguments.workers, initializer=store.use) as pool:
        for each in pool.map(partial(_play, arguments), range(arguments.games)):
            found.append(each)
            if len(found) % 10 == 0 or len(found) == arguments.games:
                _report(arguments.ruleset, found)


def _play(arguments: argparse.Namespace, number: int) -> _Found:
    dice = Random(f"{arguments.seed} {number}")
    rules, players = preset(arguments.ruleset), arguments.players
    state = game.start(rules, deal(rules, players, dice))
    names = [dice.choice(BOTS) for _ in range(players)]
    bots = [make(name, dice.getrandbits(16)) for name in names]
    found = _Found([], [], [], [])
    while state.phase != OVER:
        legal, seat = game.legal_actions(state), state.turn
        seen = game.observe(state, seat)
        action = legal[0] if len(legal) == 1 else bots[seat].choose(seen, legal)
        choices = distinct(legal) if state.phase == PLAY else []
        if len(choices) > 1:
            found.decisions.append(names[seat])
            if dice.random() < PAIRS:
                pair = dice.sample(choices, 2)
                ends = [_end(state, choice, number) for choice in pair]
                halves = [judge.results(seen, pair, DEALS, 3, dice) for _ in range(2)]
                for what, pairs in enumerate((found.places, found.money)):
                    said = [sum(row[0][what] - row[1][what] for row in half) for half in halves]
                    pairs.append(
                        _Pair(ends[0][what] - ends[1][what], *(each / DEALS for each in said))
                    )
            if dice.random() < REVIEWED:
                told = judge.decide(seen, legal, action, judge.FULL, dice)
                found.losses.append((names[seat], told["loss"]))
        game.apply(state, action)
    return found


def _end(state: State, action: SeatAction, seed: int) -> tuple[float, float]:
    """Return the opponents beaten and the money won in stakes from here on, masters playing on."""
    state = state.copy()
    before = game.outcome(state).net[action.seat]
    game.apply(state, action)
    bots = [make("master", 8 * seed + seat) for seat in range(state.players)]
    while state.phase != OVER:
        legal = game.legal_actions(state)
        bot = bots[state.turn]
        chosen = bot.choose(game.observe(state, state.turn), legal) if len(legal) > 1 else legal[0]
        game.apply(state, chosen)
    won = game.outcome(state).net[action.seat] - before
    return judge.beaten(state)[action.seat], won / state.stake


def _cost(arguments: argparse.Namespace, number: int) -> float:
    """Return the processor's seconds for a review of a greedy player among planners."""
    store.required()
    dice, names = Random(f"{arguments.seed} {number}"), ["greedy", *["planner"] * 3]
    turns = list(_turns(arguments, number, names[: arguments.players], dice))
    actions = [action for _state, _seen, _legal, action in turns]
    began = time.process_time()
    if turns and not judge.why_not(turns[0][0], actions):
        judge.review(turns[0][0], actions, [0], f"{arguments.seed} {number}")
    return time.process_time() - began


def _turns(
    arguments: argparse.Namespace, number: int, names: Sequence[str], dice: Random
) -> Iterator[tuple[State, Observation, list[SeatAction], SeatAction]]:
    """Yield each position of a game between bots, and what was chosen there."""
    rules, bots = preset(arguments.ruleset), [make(name, number) for name in names]
    state = game.start(rules, deal(rules, arguments.players, dice))
    while state.phase != OVER:
        legal, seen = game.legal_actions(state), game.observe(state, state.turn)
        action = bots[state.turn].choose(seen, legal)
        yield state.copy(), seen, legal, action
        game.apply(state, action)


def _puzzle(arguments: argparse.Namespace, number: int) -> str | None:
    """Return what refuses the best puzzle of a game between bots; None where there is none."""
    store.required()
    dice = Random(f"{arguments.seed} {number}")
    names = [dice.choice(BOTS) for _ in range(arguments.players)]
    states: list[State] = []
    decisions: list[dict[str, Any]] = []
    for state, seen, legal, action in _turns(arguments, number, names, dice):
        if state.phase == PLAY and len(distinct(legal)) > 1:
            told = judge.decide(seen, legal, action, judge.FULL, dice)
            decisions.append(told | {"step": len(states)})
            states.append(state)
    best = puzzles.proposed(decisions)
    if best is None:
        return None
    return puzzles.check(states[best["step"]], best, f"{number} {best['step']}")[1]


def _report_puzzles(arguments: argparse.Namespace) -> None:
    """Print how many puzzles passed, and what refused the others."""
    found: Counter[str] = Counter()
    began, number = time.process_time(), 0
    while found.total() < arguments.puzzles:
        refused = _puzzle(arguments, number)
        number += 1
        if refused is not None:
            found[refused or "passed"] += 1
            seconds = time.process_time() - began
            print(f"{number} games, {found.total()} checked: {dict(found)}, {seconds:.0f} s")


def _report_queue(costs: Sequence[float]) -> None:
    """Print how long those wait who look at the review of their game when it is over."""
    print(f"{fmean(costs):.2f} s of a processor a review, {max(costs):.2f} s at most")
    dice = Random(1)
    for share in (0.5, 0.75, 1.0):
        free, waits = [0.0] * WORKERS, []
        ends = sorted(dice.uniform(0, HOUR) for _ in range(TABLES * HOUR // GAME))
        for at in [end for end in ends if dice.random() < share]:
            done = max(at, free[0]) + dice.choice(costs)
            heapreplace(free, done)
            waits.append(done - at)
        work = fmean(costs) * len(waits) / WORKERS / HOUR
        print(
            f"  {share:.0%} of {len(ends)} games an hour: {work:.0%} of {WORKERS} workers,"
            f" there after {median(waits):.1f} s, 95 % after {quantiles(waits, n=20)[-1]:.1f} s"
        )


def _report(ruleset: str, found: Sequence[_Found]) -> None:
    print(f"{ruleset}: {len(found)} games")
    for name, pairs in (
        ("places", [pair for each in found for pair in each.places]),
        ("money", [pair for each in found for pair in each.money]),
    ):
        if any(pair.one for pair in pairs):
            slope, error, alike = _slope(pairs)
            print(f"  {name}: slope {slope:.2f} ± {error:.2f}, r {alike:.2f}, {len(pairs)} pairs")
    for bot in dict.fromkeys(BOTS):
        losses = [loss for each in found for name, loss in each.losses if name == bot]
        count = sum(each.decisions.count(bot) for each in found)
        if len(losses) > 1:
            mean, error = fmean(losses), stdev(losses) / sqrt(len(losses))
            print(f"  {bot}: {mean:.3f} ± {error:.3f} a decision, {len(losses)} of {count}")


def _slope(pairs: Sequence[_Pair]) -> tuple[float, float, float]:
    """Return the slope of the truth on the judge, its error, and their correlation.

    The halves' product leaves the judge's own noise out.
    """
    signal = sum(pair.one * pair.other for pair in pairs)
    means = [(pair.one + pair.other) / 2 for pair in pairs]
    slope = sum(pair.true * mean for pair, mean in zip(pairs, means, strict=True)) / signal
    rests = [
        (mean * (pair.true - slope * mean)) ** 2 for pair, mean in zip(pairs, means, strict=True)
    ]
    across = sum(pair.true * mean for pair, mean in zip(pairs, means, strict=True))
    spread = sqrt(sum(pair.true**2 for pair in pairs) * sum(mean**2 for mean in means))
    return slope, sqrt(sum(rests)) / abs(signal), across / spread if spread else 0.0


if __name__ == "__main__":
    main()
