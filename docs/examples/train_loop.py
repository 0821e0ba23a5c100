"""A bot that learns against three `greedy`, with numpy alone: train_loop.py SECONDS."""

import sys
import time

import numpy as np
from tien_len import VectorGames
from tien_len.adapters.actions import ACTIONS

GAMES, HIDDEN, RATE, BATCH = 256, 64, 0.002, 4096


def policy(weights, seen, masks):
    """Return the hidden layer and the chances of the actions."""
    hidden = np.tanh(seen @ weights[0])
    scores = np.where(masks == 1, hidden @ weights[1], -1e9)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    return hidden, chances / chances.sum(1, keepdims=True)


def learn(weights, squares, batch):
    """Make likelier what ended above the mean, by how much it did."""
    seen, masks, chosen, rewards = map(np.array, zip(*batch, strict=True))
    hidden, chances = policy(weights, seen, masks)
    wanted = np.eye(ACTIONS, dtype=np.float32)[chosen] - chances
    wanted *= (rewards - rewards.mean())[:, None] / len(batch)
    inner = (wanted @ weights[1].T) * (1 - hidden**2)
    for i, slope in enumerate((seen.T @ inner, hidden.T @ wanted)):
        squares[i] += 0.01 * (slope**2 - squares[i])
        weights[i] += RATE * slope / (np.sqrt(squares[i]) + 1e-6)


def train(seconds, dice):
    """Play and learn; return the share of first places in the last games."""
    games = VectorGames(games=GAMES, seed=1, bots=(None, "greedy", "greedy", "greedy"))
    shapes = (627, HIDDEN), (HIDDEN, ACTIONS)
    weights = [dice.normal(0, 0.05, shape).astype(np.float32) for shape in shapes]
    squares = [0 * each for each in weights]
    moves, batch, ended, end = [[] for _ in range(GAMES)], [], [], time.process_time() + seconds
    while time.process_time() < end:
        seen, masks = games.observations.astype(np.float32), games.masks.copy()
        chances = policy(weights, seen, masks)[1].cumsum(1)
        chosen = (chances > dice.random((GAMES, 1)) * chances[:, -1:]).argmax(1)
        for game in np.flatnonzero(games.counts > 1):
            moves[game].append((seen[game], masks[game], chosen[game]))
        rewards, done = games.step(chosen)
        ended += rewards[done, 0].tolist()
        for game in np.flatnonzero(done):
            batch += [(*move, rewards[game, 0]) for move in moves[game]]
            moves[game] = []
        if len(batch) > BATCH:
            learn(weights, squares, batch)
            batch = []
    return np.mean(np.array(ended[-4000:]) == 1)


if __name__ == "__main__":
    print(f"first in {train(float(sys.argv[1]), np.random.default_rng(1)):.1%} (25% is even)")
