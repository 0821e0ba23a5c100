"""``python -m engine simulate``: a run of bot games, with intervals over deals."""

import argparse
import hashlib
import json
import math
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..core import store
from ..rules.errors import EngineError
from ..rules.ruleset import Ruleset, preset
from ..statistics import Moments
from .designs import entry_names, games_of_deal
from .simulation import Block, check, play_block, play_one

_DEALS_A_BLOCK = 25
PlaysBlock = Callable[..., Block]
"""A function that plays a block as `play_block` does."""


@dataclass(frozen=True)
class BotResult:
    """One bot's result: games by rank, mean points (opponents beaten) ± margin (95 %), money."""

    bot: int
    ranks: tuple[int, ...]
    points: float
    margin: float
    net: int


def run(arguments: argparse.Namespace, play: PlaysBlock = play_block) -> int:
    """Play the requested games and print the standings; return the exit status."""
    ruleset = preset(arguments.ruleset)
    bots = [name.strip() for name in arguments.bots.split(",")]
    design = arguments.design
    check(ruleset, bots, design)
    if arguments.games < 1 or arguments.workers < 1:
        raise EngineError("games and workers must be at least 1")
    store.use()
    deals = -(-arguments.games // games_of_deal(len(bots), design))
    sums = Sums(len(bots))
    for block in played(ruleset, bots, arguments.seed, deals, design, arguments.workers, play):
        sums.add(block)
        _show_progress(sums.deals, deals)
    _print_standings(ruleset, bots, sums)
    if arguments.records:
        _write_records(Path(arguments.records), ruleset, bots, arguments.seed, deals, design)
    return 0


class Sums:
    """The sums of a run so far, in memory that does not grow with it."""

    def __init__(self, bots: int) -> None:
        self.bots, self.games = bots, 0
        self.faults: Counter[tuple[int, str]] = Counter()
        self.note: tuple[int, str, int, int, str] | None = None
        self._scores = Moments.of((), bots)
        self._net = [0] * bots
        self._ranks: Counter[tuple[int, int]] = Counter()
        self._digest = hashlib.sha256()

    @property
    def deals(self) -> int:
        return self._scores.deals

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    def add(self, block: Block) -> None:
        self.games += block.games
        self._scores += Moments.of(block.tally["deal_scores"], self.bots)
        self._net = [sum(pair) for pair in zip(self._net, block.tally["net"], strict=True)]
        for bot, rank, _, count in block.tally["counts"]:
            self._ranks[bot, rank] += count
        for bot, kind, games in block.tally["effects"]["faults"]:
            self.faults[bot, kind] += games
        self.note = self.note or next(iter(block.tally["notes"]), None)
        self._digest.update(block.digest.encode())

    def standings(self) -> list[BotResult]:
        """Return each bot's standing; intervals are over deals: a deal's games are dependent.

        Points are those of one game at the table: a bot with two seats there gets their mean.
        """
        a_deal = self._ranks.total() / self.bots / self.deals
        most = max(rank for _, rank in self._ranks)
        found = []
        for bot in range(self.bots):
            ranks = tuple(self._ranks[bot, rank] for rank in range(1, most + 1))
            points = self._scores.mean(bot, 2 * a_deal)
            found.append(BotResult(bot, ranks, points.mean, points.margin, self._net[bot]))
        return found


def played(
    ruleset: Ruleset, bots: list[str], seed: str, deals: int, design: str, workers: int,
    play: PlaysBlock = play_block,
) -> Iterator[Block]:  # fmt: skip
    """Yield the run's blocks in order; only a few are played ahead."""
    jobs = (
        (ruleset, bots, seed, first, min(_DEALS_A_BLOCK, deals - first), design)
        for first in range(0, deals, _DEALS_A_BLOCK)
    )
    if workers == 1:
        yield from (play(*job) for job in jobs)
        return
    with ProcessPoolExecutor(workers, initializer=store.use) as pool:
        waiting = deque(pool.submit(play, *job) for job in islice(jobs, 4 * workers))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(pool.submit(play, *job) for job in islice(jobs, 1))


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and the half-width of the 95 % interval of independent values."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, math.inf
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def _show_progress(done: int, deals: int) -> None:
    if sys.stderr.isatty():
        filled = 30 * done // deals
        end = "\n" if done == deals else ""
        bar = "#" * filled + "." * (30 - filled)
        print(f"\r[{bar}] {done}/{deals} deals", end=end, file=sys.stderr, flush=True)


def _print_standings(ruleset: Ruleset, bots: list[str], sums: Sums) -> None:
    print(f"{ruleset.key}: {sums.games} games of {sums.deals} deals, digest {sums.digest[:16]}")
    rows = sums.standings()
    names = entry_names(bots)
    places = "".join(f"{f'{n}.':>8}" for n in range(1, len(rows[0].ranks) + 1))
    print(f"{'bot':<12}{places}{'points':>9}{'95 %':>9}{'net':>9}")
    for row in rows:
        ranks = "".join(f"{count:>8}" for count in row.ranks)
        margin = f"±{row.margin:.3f}"
        print(f"{names[row.bot]:<12}{ranks}{row.points:>9.3f}{margin:>9}{row.net:>9}")
    for (bot, kind), games in sorted(sums.faults.items()):
        print(f"{names[bot]}: {games} games with the verdict {kind}; lowest played on")
    if sums.note:
        bot, _, deal, game, text = sums.note[:5]
        print(f"{names[bot]}, deal {deal + 1}, game {game + 1}: {text}")


def _write_records(
    path: Path, ruleset: Ruleset, bots: list[str], seed: str, deals: int, design: str
) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(deals):
            for rotation in range(games_of_deal(len(bots), design)):
                record = play_one(ruleset, bots, seed, number, rotation, design)
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
