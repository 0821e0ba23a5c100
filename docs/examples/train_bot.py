"""A bot that learns to beat three `greedy` in minutes, with numpy alone.

OPENBLAS_NUM_THREADS=1 python3 docs/examples/train_bot.py --seconds 100 200 400 800 1200

23 November 2026, seconds of processor time, each measured in 8,000 games (25% is even, ± 1):

======  =========  ==================  ===================
     s      games  first, 3 `greedy`   first, 3 `planner`
======  =========  ==================  ===================
   100    187,279               25.9%                14.9%
   200    378,316               29.6%                16.9%
   400    757,668               29.9%                17.2%
   800  1,503,414               30.7%                17.6%
 1,200  2,189,835               31.9%                18.1%
======  =========  ==================  ===================
"""

import argparse
import time

import numpy as np
from tien_len import VectorGames
from tien_len.adapters.actions import ACTIONS, text_of

GAMES, HIDDEN, RATE = 256, 64, 0.003
KINDS = ("single", "pair", "triple", "quad", "straight", "pair run", "quad run")
SEATS = (None, "greedy", "greedy", "greedy")


def features():
    """Return what tells actions apart: kind and rank, kind, number of cards' kind."""
    found = np.zeros((ACTIONS, 16 * len(KINDS) + 1), np.float32)
    for number in range(3, ACTIONS):
        text = text_of(number).removeprefix("lock ")
        kind = next(i for i, kind in enumerate(KINDS) if text.startswith(kind))
        rank = "3456789TJQKA2".index(text[-2])
        length = int(text.split(" of ")[1].split()[0]) if " of " in text else 1
        found[number, 16 * kind + rank] = found[number, 16 * kind + 13] = 1
        found[number, 16 * kind + 14 : 16 * kind + 16] = rank / 12, length / 5
    found[0, -1] = 1  # a pass
    return found


def policy(weights, seen, masks, actions):
    """Return the hidden layer and the chance of each action."""
    hidden = np.tanh(seen @ weights[0])
    scores = np.where(masks == 1, (hidden @ weights[1]) @ actions.T, -1e9)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    return hidden, chances / chances.sum(1, keepdims=True)


def inputs(games):
    seen = games.observations.astype(np.float32)
    return np.concatenate([seen, np.ones((len(seen), 1), np.float32)], 1)


def train(stages, dice):
    """Play, and make likelier what ended above the mean, by how much it did (REINFORCE).

    Yield the weights after each of the stages, in seconds of processor time.
    """
    games, actions = VectorGames(games=GAMES, seed=1, bots=SEATS), features()
    shapes = ((628, HIDDEN), (HIDDEN, actions.shape[1]))
    weights = [dice.normal(0, 0.05, shape).astype(np.float32) for shape in shapes]
    means, squares = [[np.zeros_like(each) for each in weights] for _ in range(2)]
    moves, mean, updates, played = [[] for _ in range(GAMES)], 0.0, 0, 0
    batch, begin = [], time.process_time()
    while stages:
        if (spent := time.process_time() - begin) > stages[0]:
            print(f"{spent:.0f} s, {played} games, {updates} updates:", flush=True)
            yield weights, actions
            begin, stages = time.process_time() - spent, stages[1:]
        seen, masks = inputs(games), games.masks.copy()
        _, chances = policy(weights, seen, masks, actions)
        chosen = (chances.cumsum(1) > dice.random((GAMES, 1))).argmax(1)
        for game in np.flatnonzero(games.counts > 1):
            moves[game].append((seen[game], masks[game], chosen[game]))
        rewards, done = games.step(chosen)
        for game in np.flatnonzero(done):
            batch += [(*move, rewards[game, 0]) for move in moves[game]]
            moves[game] = []
        played += int(done.sum())
        if len(batch) < 4096:
            continue
        seen, masks, chosen, reward = (np.array(each) for each in zip(*batch, strict=True))
        hidden, chances = policy(weights, seen, masks, actions)
        mean, batch, updates = 0.95 * mean + 0.05 * reward.mean(), [], updates + 1
        wanted = -chances
        wanted[np.arange(len(chosen)), chosen] += 1
        wanted = ((reward - mean)[:, None] * wanted / len(chosen)) @ actions
        inner = (wanted @ weights[1].T) * (1 - hidden**2)
        for each, slope in enumerate((seen.T @ inner, hidden.T @ wanted)):  # Adam
            means[each] = 0.9 * means[each] + 0.1 * slope
            squares[each] = 0.999 * squares[each] + 0.001 * slope**2
            bias = np.sqrt(1 - 0.999**updates) / (1 - 0.9**updates)
            weights[each] += RATE * bias * means[each] / (np.sqrt(squares[each]) + 1e-8)


def measure(weights, actions, other, least):
    """Print how often it comes first in fresh games, always by the likeliest action."""
    games, found = VectorGames(games=GAMES, seed=2, bots=(None, other, other, other)), []
    while len(found) < least:
        chosen = policy(weights, inputs(games), games.masks, actions)[1].argmax(1)
        rewards, done = games.step(chosen)
        found += rewards[done, 0].tolist()
    first, margin = np.mean(np.array(found) == 1), 1.96 * np.std(found) / len(found) ** 0.5
    reward = f"reward {np.mean(found):.3f} ± {margin:.3f}"
    print(f"  first in {first:.1%} against three {other} (25% is even), {reward}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, nargs="+", default=[300])
    parser.add_argument("--games", type=int, default=8000, help="to measure it with")
    wanted = parser.parse_args()
    for found in train(wanted.seconds, np.random.default_rng(1)):
        for other in ("greedy", "planner"):
            measure(*found, other, wanted.games)
