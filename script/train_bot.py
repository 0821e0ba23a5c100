"""How `master` learns: games against itself, and a network that says how they end.

The games are the engine's own, and the inputs those that the bot has (engine/bots/features.py):
nothing of the game is written down here. docs/ladder.md tells what came of it.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from engine.bots.belief import read
from engine.bots.candidates import Candidate, weigh
from engine.bots.decompose import decomposer
from engine.bots.features import INPUTS, Columns, Outlook
from engine.bots.value_network import WORTH
from engine.bots.weights import shipped_weights
from engine.rules.actions import SeatAction
from engine.rules.cardset import pack
from engine.rules.deal import below, deal
from engine.rules.game import apply, legal_actions, observe, start
from engine.rules.rule_tables import table
from engine.rules.ruleset import preset, with_options
from engine.rules.state import OVER

FIRST, SECOND, OPINIONS = 256, 64, len(WORTH)
UNIT = 64
LIMIT = 127 / UNIT  # Of a weight, so that a byte holds it.
AT_ONCE, BATCH, RING, ENOUGH = 64, 256, 1 << 17, 10_000
NOISE = (0.0, 0.0, 0.015, 0.05)
KEEP = 0.8
CALM = 0.001
RATE = 1e-3
SHAPES = {
    "w1": (INPUTS, FIRST), "b1": (FIRST,), "w2": (FIRST, SECOND), "b2": (SECOND,),
    "w3": (OPINIONS, SECOND), "b3": (OPINIONS,),
}  # fmt: skip
Weights = dict[str, np.ndarray]


class Marks:
    """A network whose columns say which inputs were there: a bit for each, none comes twice."""

    columns = [1 << number for number in range(INPUTS)]


BYTES = (INPUTS + 7) // 8
COLUMNS = Columns(Marks())


class Sample(NamedTuple):
    """A choice that was made: the inputs after it, the opinions on the best one, who made it."""

    inputs: np.ndarray
    opinions: np.ndarray
    seat: int
    strays: bool


class SelfPlay:
    """One game of the network against itself, each seat with values blurred in its own way."""

    def __init__(self, dice: Random) -> None:
        what = below(dice, 20)
        players = {0: 2, 1: 3}.get(what, 4)
        options = {"instant_wins": [], "forward": what < 18}
        ruleset = with_options(preset("tien-len"), options)
        self._dice = dice
        self._state = start(ruleset, deal(ruleset, players, dice))
        self._noise = [NOISE[below(dice, len(NOISE))] for _ in range(players)]
        self._candidates: list[Candidate] = []
        self._notes: list[Sample] = []
        self.inputs = np.zeros((0, INPUTS), np.uint8)

    def advance(self) -> bool:
        """Play to the next choice, of which `inputs` then has a row each; False at the end."""
        state = self._state
        while state.phase != OVER:
            legal = legal_actions(state)
            last = [action for action in legal if pack(action.cards) == state.hands[state.turn]]
            if len(legal) == 1 or last:
                apply(state, (last or legal)[0])
                continue
            self._look(legal)
            return True
        return False

    def _look(self, legal: list[SeatAction]) -> None:
        seen = observe(self._state, self._state.turn)
        reading, weights = read(seen), shipped_weights()
        plan = decomposer(table(seen.ruleset).generator, weights)
        self._candidates = weigh(seen, legal, reading, plan, weights)
        outlook = Outlook(seen, reading, COLUMNS)
        rows = [outlook.after(c).to_bytes(BYTES, "little") for c in self._candidates]
        packed = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, BYTES)
        self.inputs = np.unpackbits(packed, axis=1, count=INPUTS, bitorder="little")

    def choose(self, opinions: np.ndarray) -> None:
        """Take the choice that is worth most, blurred."""
        seat = self._state.turn
        values = opinions @ np.array(WORTH)
        blurred = [value + self._noise[seat] * self._dice.gauss(0, 1) for value in values]
        best, chosen = int(np.argmax(values)), int(np.argmax(blurred))
        self._notes.append(Sample(self.inputs[chosen], opinions[best], seat, chosen != best))
        apply(self._state, self._candidates[chosen].action)

    def lessons(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the inputs of each choice with its goal.

        That is how the game ended, as far as the seat did not stray, mixed with what the network
        thought on the way.
        """
        places = {seat: at for at, group in enumerate(self._state.placings) for seat in group}
        goals = {
            seat: np.array([place <= k for k in range(OPINIONS)], np.float32)
            for seat, place in places.items()
        }
        found = []
        for note in reversed(self._notes):
            goal = goals[note.seat]
            found.append((note.inputs, goal))
            keep = 0.0 if note.strays else KEEP
            goals[note.seat] = keep * goal + (1 - keep) * note.opinions
        return found


def fresh(dice: np.random.Generator) -> Weights:
    """Return the weights to begin with."""
    found = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
    for name, scale in (("w1", 0.1), ("w2", (2 / FIRST) ** 0.5), ("w3", (1 / SECOND) ** 0.5)):
        found[name] = (scale * dice.standard_normal(SHAPES[name])).astype(np.float32)
    return found


def judge(net: Weights, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return both hidden layers and the opinions on rows of inputs."""
    first = np.maximum(inputs.astype(np.float32) @ net["w1"] + net["b1"], 0)
    second = np.maximum(first @ net["w2"] + net["b2"], 0)
    return first, second, 1 / (1 + np.exp(-(second @ net["w3"].T + net["b3"])))


def slopes(net: Weights, inputs: np.ndarray, goals: np.ndarray) -> tuple[Weights, float]:
    """Return the gradient of the loss of some lessons, and the loss."""
    first, second, opinions = judge(net, inputs)
    sure = np.clip(opinions, 1e-7, 1 - 1e-7)
    loss = -(goals * np.log(sure) + (1 - goals) * np.log(1 - sure)).sum(1).mean()
    miss = (opinions - goals) / len(inputs)
    to_second = (miss @ net["w3"]) * (second > 0)
    to_first = (to_second @ net["w2"].T) * (first > 0)
    found = {
        "w1": inputs.astype(np.float32).T @ to_first, "b1": to_first.sum(0),
        "w2": first.T @ to_second, "b2": to_second.sum(0),
        "w3": miss.T @ second, "b3": miss.sum(0),
    }  # fmt: skip
    return found, float(loss)


class Learner:
    """The network that learns, and `calm`, the running mean of its weights, which plays."""

    def __init__(self, net: Weights, dice: np.random.Generator) -> None:
        self.net = net
        self.calm = {name: weights.copy() for name, weights in net.items()}
        self._dice = dice
        self._mean = {name: np.zeros_like(weights) for name, weights in net.items()}
        self._square = {name: np.zeros_like(weights) for name, weights in net.items()}
        self._steps = 0
        self._inputs = np.zeros((RING, INPUTS), np.uint8)
        self._goals = np.zeros((RING, OPINIONS), np.float32)
        self._filled = 0

    @property
    def have(self) -> int:
        """How many lessons there are."""
        return min(self._filled, RING)

    def add(self, inputs: np.ndarray, goal: np.ndarray) -> None:
        """Remember a lesson in the place of the oldest."""
        self._inputs[self._filled % RING] = inputs
        self._goals[self._filled % RING] = goal
        self._filled += 1

    def learn(self, rate: float) -> float:
        """Take one step of Adam on lessons drawn at random; return their loss."""
        chosen = self._dice.integers(self.have, size=BATCH)
        found, loss = slopes(self.net, self._inputs[chosen], self._goals[chosen])
        self._steps += 1
        for name, slope in found.items():
            mean, square, weights = self._mean[name], self._square[name], self.net[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            step = mean / (1 - 0.9**self._steps)
            weights -= rate * step / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
            np.clip(weights, -LIMIT, LIMIT, out=weights)
            self.calm[name] += CALM * (weights - self.calm[name])
        return loss


def play(net: Weights, dice: Random, games: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Play games side by side, so that the network judges many choices at once."""
    going = tables = [SelfPlay(dice) for _ in range(games)]
    while going := [game for game in going if game.advance()]:
        opinions = judge(net, np.concatenate([game.inputs for game in going]))[2]
        at = 0
        for game in going:
            game.choose(opinions[at : at + len(game.inputs)])
            at += len(game.inputs)
    return [lesson for game in tables for lesson in game.lessons()]


def rate_at(part: float) -> float:
    """Return the learning rate: it stays for two fifths and falls to a thirtieth by the end."""
    return RATE * (1.0 if part < 0.4 else 0.03 ** ((part - 0.4) / 0.6))


def as_bytes(net: Weights) -> bytes:
    """Return the weights in 64ths: the form that is shipped (engine/bots/network.py)."""
    return b"".join(np.rint(UNIT * net[name]).astype(np.int8).tobytes() for name in SHAPES)


def train(options: argparse.Namespace) -> int:
    """Play and learn until the games or the minutes of script/train-bot are over."""
    numbers = np.random.default_rng(options.seed)
    net = dict(np.load(options.go_on)) if options.go_on else fresh(numbers)
    learner, dice = Learner(net, numbers), Random(options.seed)
    began = time.monotonic()
    games, owed, losses = 0, 0.0, []
    while True:
        minutes = (time.monotonic() - began) / 60
        part = minutes / options.minutes if options.minutes else games / options.games
        if part >= 1:
            break
        lessons = play(learner.calm, dice, AT_ONCE)
        for lesson in lessons:
            learner.add(*lesson)
        games += AT_ONCE
        if learner.have >= ENOUGH:
            owed += 2 * len(lessons) / BATCH
        while owed >= 1:
            losses.append(learner.learn(rate_at(part)))
            owed -= 1
        if games % (16 * AT_ONCE) == 0:
            loss = np.mean(losses[-500:]) if losses else float("nan")
            print(f"{games} games, {minutes:.1f} min, loss {loss:.4f}", flush=True)
            save(options.file, learner.calm)
    save(options.file, learner.calm)
    print(f"{games} games, {len(losses)} steps: {options.file}")
    return 0


def save(path: Path, net: Weights) -> None:
    """Write the network that is shipped, and beside it the one to go on from."""
    path.write_bytes(as_bytes(net))
    np.savez(path.with_suffix(".npz"), **net)
