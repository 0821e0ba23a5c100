"""``python -m engine.sim.bench_bots BOT OPPONENT``: how well a bot plays, and how long it thinks.

One bot plays three copies of another (or a different number), each deal in all seats. The games are
those of ``python -m engine simulate --duplicate`` with the same seed; the intervals are over deals.
"""

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from ..bots import BOTS, Bot, make
from ..core import store
from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.ruleset import preset
from .command import interval
from .simulation import play_block

_REPORT_EVERY = 250


class _Timed:
    """A bot with a stopwatch: it records processor seconds of each decision that had a choice."""

    name = "timed"
    version = 0

    def __init__(self, bot: Bot, seconds: list[float]) -> None:
        self._bot = bot
        self._seconds = seconds

    def choose(self, observation: Observation, legal: Sequence[SeatAction]) -> SeatAction:
        began = time.process_time()
        action = self._bot.choose(observation, legal)
        if len(legal) > 1:
            self._seconds.append(time.process_time() - began)
        return action


class _Figures(NamedTuple):
    """The results of one deal's games, as means over its seats; the seconds of each decision."""

    first: float
    place: float
    last: float
    money: float
    seconds: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a bot against copies of another.")
    add_arguments(parser)
    measure(parser.parse_args())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", choices=BOTS)
    parser.add_argument("opponent", choices=BOTS)
    parser.add_argument("--ruleset", default="tien-len")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--workers", type=int, default=1)


def measure(arguments: argparse.Namespace) -> None:
    deals = arguments.deals
    found: list[_Figures] = []
    with ProcessPoolExecutor(arguments.workers, initializer=store.use) as pool:
        for figures in pool.map(partial(_play, arguments), range(deals), chunksize=10):
            found.append(figures)
            if len(found) % _REPORT_EVERY == 0 or len(found) == deals:
                _report(found)


def _play(arguments: argparse.Namespace, number: int) -> _Figures:
    players = arguments.players
    seconds: list[float] = []
    BOTS["timed"] = lambda seed: _Timed(make(arguments.bot, seed), seconds)
    bots = ["timed"] + [arguments.opponent] * (players - 1)
    tally = play_block(preset(arguments.ruleset), bots, arguments.seed, number, 1).tally
    ranks = [(rank, count) for bot, rank, _, count in tally["counts"] if bot == 0]
    return _Figures(
        first=100 * sum(count for rank, count in ranks if rank == 1) / players,
        place=players - tally["deal_scores"][0][0] / 2 / players,
        last=100 * sum(count for rank, count in ranks if rank == players) / players,
        money=tally["net"][0] / players,
        seconds=seconds,
    )


def _report(found: list[_Figures]) -> None:
    columns = {
        "first %": [figures.first for figures in found],
        "place": [figures.place for figures in found],
        "last %": [figures.last for figures in found],
        "net": [figures.money for figures in found],
    }
    texts = [
        f"{name} {mean:.3f} ±{margin:.3f}"
        for name, (mean, margin) in ((name, interval(values)) for name, values in columns.items())
    ]
    thinking = sorted(1000 * second for figures in found for second in figures.seconds)
    mean = sum(thinking) / len(thinking)
    slow = thinking[int(0.99 * len(thinking))]
    print(
        f"{len(found)} deals: {', '.join(texts)}; "
        f"{len(thinking)} decisions, ms mean {mean:.3f}, p99 {slow:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
