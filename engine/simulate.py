"""``python -m engine simulate``: a run of bot games, with intervals over deals."""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.designs import entry_names, games_of_deal
from engine.errors import EngineError
from engine.ruleset import Ruleset, preset
from engine.simulation import Block, check, play_block, play_one

_DEALS_A_BLOCK = 25


@dataclass(frozen=True)
class Standing:
    """One bot's result: games by rank, mean points (opponents beaten), half width of 95 %."""

    bot: int
    ranks: tuple[int, ...]
    points: float
    margin: float
    net: int


def run(arguments: argparse.Namespace) -> int:
    """Play what the arguments ask for, print the standings; return the exit status."""
    ruleset = preset(arguments.ruleset)
    bots = [name.strip() for name in arguments.bots.split(",")]
    design = arguments.design
    check(ruleset, bots, design)
    if arguments.games < 1 or arguments.workers < 1:
        raise EngineError("games and workers must be at least 1")
    deals = math.ceil(arguments.games / games_of_deal(len(bots), design))
    blocks = []
    with _pool(arguments.workers) as pool:
        jobs = [
            (ruleset, bots, arguments.seed, first, min(_DEALS_A_BLOCK, deals - first), design)
            for first in range(0, deals, _DEALS_A_BLOCK)
        ]
        for block in pool.map(_play_job, jobs) if pool else map(_play_job, jobs):
            blocks.append(block)
            _show_progress(sum(b.deals for b in blocks), deals)
    _print_standings(ruleset, bots, blocks)
    if arguments.records:
        _write_records(Path(arguments.records), ruleset, bots, arguments.seed, deals, design)
    return 0


def standings(bots: int, blocks: list[Block]) -> list[Standing]:
    """Return each bot's standing; the interval is over deals, the games of one belong together.

    Points are those of one game at the table: a bot with two chairs there has their mean.
    """
    deals = [scores for block in blocks for scores in block.tally["deal_scores"]]
    seated = sum(count for block in blocks for _, _, _, count in block.tally["counts"])
    a_deal = seated / bots / len(deals)
    most = max(rank for block in blocks for _, rank, _, _ in block.tally["counts"])
    found = []
    for bot in range(bots):
        ranks = [0] * most
        for block in blocks:
            for of, rank, _, count in block.tally["counts"]:
                if of == bot:
                    ranks[rank - 1] += count
        points = [scores[bot] / 2 / a_deal for scores in deals]
        mean, margin = interval(points)
        net = sum(block.tally["net"][bot] for block in blocks)
        found.append(Standing(bot, tuple(ranks), mean, margin, net))
    return found


def interval(values: list[float]) -> tuple[float, float]:
    """Return mean and half width of the 95 % interval of some independent values."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, math.inf
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * math.sqrt(variance / len(values))


def _pool(workers: int) -> Any:
    return ProcessPoolExecutor(workers) if workers > 1 else nullcontext()


def _play_job(job: tuple[Ruleset, list[str], str, int, int, str]) -> Block:
    return play_block(*job)


def _show_progress(done: int, deals: int) -> None:
    if sys.stderr.isatty():
        filled = 30 * done // deals
        end = "\n" if done == deals else ""
        bar = "#" * filled + "." * (30 - filled)
        print(f"\r[{bar}] {done}/{deals} deals", end=end, file=sys.stderr, flush=True)


def _print_standings(ruleset: Ruleset, bots: list[str], blocks: list[Block]) -> None:
    games = sum(block.games for block in blocks)
    deals = sum(block.deals for block in blocks)
    digest = hashlib.sha256("".join(block.digest for block in blocks).encode()).hexdigest()
    print(f"{ruleset.key}: {games} games of {deals} deals, digest {digest[:16]}")
    rows = standings(len(bots), blocks)
    names = entry_names(bots)
    places = "".join(f"{f'{n}.':>8}" for n in range(1, len(rows[0].ranks) + 1))
    print(f"{'bot':<12}{places}{'points':>9}{'95 %':>9}{'net':>9}")
    for row in rows:
        ranks = "".join(f"{count:>8}" for count in row.ranks)
        margin = f"±{row.margin:.3f}"
        print(f"{names[row.bot]:<12}{ranks}{row.points:>9.3f}{margin:>9}{row.net:>9}")
    _print_faults(names, blocks)


def _print_faults(names: list[str], blocks: list[Block]) -> None:
    faults: Counter[tuple[int, str]] = Counter()
    for block in blocks:
        for bot, kind, games in block.tally["effects"]["faults"]:
            faults[bot, kind] += games
    for (bot, kind), games in sorted(faults.items()):
        print(f"{names[bot]}: {games} games with the verdict {kind}; lowest played on")
    notes = [note for block in blocks for note in block.tally["notes"]]
    for bot, _, deal, game, text in notes[:1]:
        print(f"{names[bot]}, deal {deal + 1}, game {game + 1}: {text}")


def _write_records(
    path: Path, ruleset: Ruleset, bots: list[str], seed: str, deals: int, design: str
) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in _records(ruleset, bots, seed, deals, design):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _records(
    ruleset: Ruleset, bots: list[str], seed: str, deals: int, design: str
) -> Iterator[dict[str, Any]]:
    for number in range(deals):
        for rotation in range(games_of_deal(len(bots), design)):
            yield play_one(ruleset, bots, seed, number, rotation, design)
