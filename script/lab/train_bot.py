"""How `master` learns: games on the engine's kernels, and a network that says how they end.

The games are those of the engine's own rulesets, and the inputs those that the bot has
(engine/core/kernels/inputs.py): nothing of the game is written down here. docs/ladder.md tells
what came of it.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import lessons
import numpy as np
from lessons import LEARNS, PAST, LessonBook, Net, Scratch

from engine.bots.imagination import WORTH, worths
from engine.bots.weights import shipped_weights
from engine.core import compiled
from engine.core.kernels import layout, mind_layout, plan_layout
from engine.core.kernels.dice import DIE
from engine.core.kernels.mind_layout import INPUTS, MIND_FIRST, MIND_SECOND, MOST_INPUTS, OPINIONS
from engine.core.mind import UNIT
from engine.core.rules_data import rules_data
from engine.rules.deal import below
from engine.rules.ruleset import preset, with_options

LIMIT = 127 / UNIT  # Of a weight, so that a byte holds it.
AT_ONCE, BATCH, RING, ENOUGH = 256, 512, 1 << 18, 50_000
MOST_CHOICES = 4 * 52
"""Of a game: a card for each, and after it a pass of each other seat."""
NOISE = (0.0, 0.0, 0.015, 0.05)
KEEP = 0.8
CALM = 0.001
RATE = 1e-3
PASTS = 8
"""Into how many parts the earlier network, which plays too, divides a training."""


def shapes(first: int) -> Net:
    """Return the shapes of a network whose first layer has so many numbers."""
    last = (OPINIONS, MIND_SECOND)
    return Net((INPUTS, first), (first,), (MIND_SECOND, first), (MIND_SECOND,), last, (OPINIONS,))


SHAPES = shapes(MIND_FIRST)
GAMES = (
    *[("tien-len", {}, 4)] * 12,
    ("tien-len", {}, 3), ("tien-len", {}, 2), ("tien-len", {"forward": False}, 4),
    *[(name, {}, 4) for name in ("thirteen", "mien-nam", "killa", "family", "viet-cong")],
)  # fmt: skip
"""What is played: ruleset, options and players, each as often as it stands here."""


def plain() -> Any:
    """Return the kernels of a training as plain Python."""
    return SimpleNamespace(**vars(lessons))


def fast() -> Any:
    """Return them as machine code."""
    modules = (*compiled.MODULES, lessons)
    return SimpleNamespace(**compiled.machine_code(modules, None, fastmath=True))


class GameArrays(NamedTuple):
    """The arrays of games of one kind."""

    rules: np.ndarray
    plan: np.ndarray
    players: int


def tables() -> list[GameArrays]:
    """Return the arrays of GAMES; those with the same runs share what is remembered of hands."""
    found: dict[Any, GameArrays] = {}
    plans: dict[Any, np.ndarray] = {}
    for name, options, players in GAMES:
        ruleset = with_options(preset(name), {"instant_wins": [], **options})
        rules = np.array(rules_data(ruleset, players), np.int64)
        runs = tuple(rules[layout.STRAIGHT_END : layout.LONGEST + 1])
        if runs not in plans:
            plans[runs] = np.zeros(plan_layout.PLAN_SIZE, np.int64)
            flat = worths(ruleset, players, shipped_weights())
            plans[runs][: len(flat)] = flat
        found[name, str(options), players] = GameArrays(rules, plans[runs], players)
    return [found[name, str(options), players] for name, options, players in GAMES]


class School:
    """Games of the network against itself, `planner`, `greedy` and an earlier network."""

    def __init__(self, kernels: Any, dice: Random) -> None:
        self._kernels = kernels
        self._dice = dice
        self._tables = tables()
        self._work = np.zeros(layout.SIZE, np.int64)
        self._notes = np.zeros(mind_layout.NOTES, np.int64)
        self._worth = np.array(WORTH)
        self._noise = np.zeros(8)
        self._scratch = Scratch(
            np.zeros(2 * MOST_INPUTS, np.int64), np.zeros(MIND_FIRST, np.float32),
            np.zeros(MIND_FIRST, np.float32), np.zeros(OPINIONS, np.float32),
            np.zeros(OPINIONS, np.float32),
        )  # fmt: skip
        deck = Random(dice.random()).getstate()[1]
        self._work[layout.DECK_DIE : layout.DECK_DIE + DIE] = [*deck, DIE - 2]
        kernels.seed_noise(below(dice, 1 << 31))
        rows = AT_ONCE * MOST_CHOICES
        self.book = LessonBook(
            np.zeros((rows, MOST_INPUTS), np.int16),
            np.zeros(rows, np.int64),
            np.zeros(rows, np.int64),
            np.zeros((rows, OPINIONS), np.float32),
            np.zeros(rows, np.bool_),
        )
        self.goals = np.zeros((rows, OPINIONS), np.float32)

    def play(self, net: Net, past: Net, games: int) -> int:
        """Play so many games; return how many lessons the book and `goals` have then."""
        end = 0
        for _ in range(games):
            table = self._tables[below(self._dice, len(self._tables))]
            self._work[layout.PLAYERS] = table.players
            self._work[layout.POLICIES : layout.POLICIES + table.players] = self._who(table.players)
            for seat in range(table.players):
                self._noise[seat] = NOISE[below(self._dice, len(NOISE))]
            first = end
            end = self._kernels.play_lesson(
                table.rules, table.plan, self._work, self._notes, net, past, self._worth,
                self._noise, self._scratch, self.book, first,
            )  # fmt: skip
            self._kernels.write_lessons(self._work, KEEP, self.book, first, end, self.goals)
        return end

    def _who(self, players: int) -> list[int]:
        """Return who plays in each seat: in half of the games the network in all."""
        what = below(self._dice, 20)
        who = [LEARNS] * players
        if what < 10:
            return who
        other = layout.PLANNER if what < 17 else PAST if what < 19 else layout.GREEDY
        for _ in range(1 + below(self._dice, players - 1)):
            who[below(self._dice, players)] = other
        if LEARNS not in who:
            who[below(self._dice, players)] = LEARNS
        return who


def fresh(dice: np.random.Generator) -> Net:
    """Return the weights to begin with."""
    scales = {"w1": 0.1, "w2": (2 / MIND_FIRST) ** 0.5, "w3": (1 / MIND_SECOND) ** 0.5}
    return Net(*[
        (scales.get(name, 0) * dice.standard_normal(shape)).astype(np.float32)
        for name, shape in SHAPES._asdict().items()
    ])  # fmt: skip


def copied(net: Net) -> Net:
    return Net(*[weights.copy() for weights in net])


class Learner:
    """The network that learns, and `calm`, the running mean of its weights, which plays."""

    def __init__(self, kernels: Any, net: Net, dice: np.random.Generator) -> None:
        self._kernels = kernels
        self.net = net
        self.calm = copied(net)
        self._dice = dice
        self._slopes, self._mean, self._square = [
            Net(*[np.zeros_like(weights) for weights in net]) for _ in range(3)
        ]
        self._steps = 0
        self._inputs = np.zeros((RING, MOST_INPUTS), np.int16)
        self._counts = np.zeros(RING, np.int64)
        self._goals = np.zeros((RING, OPINIONS), np.float32)
        self._filled = 0

    @property
    def have(self) -> int:
        """How many lessons there are."""
        return min(self._filled, RING)

    def add(self, inputs: np.ndarray, counts: np.ndarray, goals: np.ndarray) -> None:
        """Remember lessons in the places of the oldest."""
        places = np.arange(self._filled, self._filled + len(counts)) % RING
        self._inputs[places] = inputs
        self._counts[places] = counts
        self._goals[places] = goals
        self._filled += len(counts)

    def slopes(self, chosen: np.ndarray) -> float:
        """Add the slopes of the loss of some lessons to `_slopes`; return the loss."""
        net, found, goals = self.net, self._slopes, self._goals[chosen]
        first = np.empty((len(chosen), MIND_FIRST), np.float32)
        self._kernels.gather(net, self._inputs, self._counts, chosen, first)
        second = np.maximum(first @ net.w2.T + net.b2, 0)
        opinions = 1 / (1 + np.exp(-(second @ net.w3.T + net.b3)))
        sure = np.clip(opinions, 1e-7, 1 - 1e-7)
        loss = -(goals * np.log(sure) + (1 - goals) * np.log(1 - sure)).sum(1).mean()
        miss = (opinions - goals) / np.float32(len(chosen))
        to_second = (miss @ net.w3) * (second > 0)
        to_first = (to_second @ net.w2) * (first > 0)
        for slope, what in (
            (found.w3, miss.T @ second), (found.b3, miss.sum(0)),
            (found.w2, to_second.T @ first), (found.b2, to_second.sum(0)),
            (found.b1, to_first.sum(0)),
        ):  # fmt: skip
            slope += what
        self._kernels.scatter(found.w1, self._inputs, self._counts, chosen, to_first)
        return float(loss)

    def learn(self, rate: float) -> float:
        """Take one step of Adam on lessons drawn at random; return their loss."""
        loss = self.slopes(self._dice.integers(self.have, size=BATCH))
        self._steps += 1
        fresh, fresh_square = 1 / (1 - 0.9**self._steps), 1 / (1 - 0.999**self._steps)
        for arrays in zip(self.net, self._slopes, self._mean, self._square, self.calm, strict=True):
            flat = [array.reshape(-1) for array in arrays]
            self._kernels.step(
                *flat, np.float32(rate), np.float32(fresh), np.float32(fresh_square),
                np.float32(LIMIT), np.float32(CALM),
            )  # fmt: skip
        return loss


def rate_at(part: float) -> float:
    """Return the learning rate: it stays for two fifths and falls to a thirtieth by the end."""
    return RATE * (1.0 if part < 0.4 else 0.03 ** ((part - 0.4) / 0.6))


def as_bytes(net: Net) -> bytes:
    """Return the weights in 64ths: the form that is shipped (engine/core/mind.py)."""
    parts = (net.w1, net.b1, net.w2.T, net.b2, net.w3, net.b3)
    return b"".join(np.rint(UNIT * part).astype(np.int8).tobytes() for part in parts)


def train(options: argparse.Namespace, kernels: Any = None) -> int:
    """Play and learn until the games or the minutes of script/lab/train-bot are over."""
    kernels = kernels or fast()
    numbers = np.random.default_rng(options.seed)
    net = Net(**np.load(options.go_on)) if options.go_on else fresh(numbers)
    learner, school = Learner(kernels, net, numbers), School(kernels, Random(options.seed))
    past, parts = copied(learner.calm), 1
    began = time.monotonic()
    games, owed, losses, told = 0, 0.0, [], 0.0
    while True:
        minutes = (time.monotonic() - began) / 60
        part = minutes / options.minutes if options.minutes else games / options.games
        if part >= 1:
            break
        if part * PASTS >= parts:
            past, parts = copied(learner.calm), parts + 1
        end = school.play(learner.calm, past, AT_ONCE)
        learner.add(school.book.inputs[:end], school.book.counts[:end], school.goals[:end])
        games += AT_ONCE
        if learner.have >= ENOUGH:
            owed += end / BATCH
        while owed >= 1:
            losses.append(learner.learn(rate_at(part)))
            owed -= 1
        if minutes - told >= 1:
            told = minutes
            loss = np.mean(losses[-500:]) if losses else float("nan")
            print(f"{games} games, {minutes:.1f} min, loss {loss:.4f}", flush=True)
            save(options.file, learner.calm)
    save(options.file, learner.calm)
    print(f"{games} games, {len(losses)} steps: {options.file}")
    return 0


def save(path: Path, net: Net) -> None:
    """Write the network that is shipped, and beside it the one to go on from."""
    path.write_bytes(as_bytes(net))
    np.savez(path.with_suffix(".npz"), **net._asdict())
