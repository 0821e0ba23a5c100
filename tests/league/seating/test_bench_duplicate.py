"""The command of docs/seating.md, small, with the readable engine in place of its core."""

import random
import runpy
from itertools import pairwise

import pytest

import engine
from engine import bots
from tests.lab import ROOM

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(str(ROOM))  # As programs of the room find each other.
    BENCH = runpy.run_path(str(ROOM / "bench-duplicate"))


def play(hands, seats):
    """Play a game and return the places by seat, as the command's own `play` does."""
    players = [bots.make(BENCH["BOTS"][bot], 0) for bot in seats]
    state = engine.start(engine.preset("tien-len"), hands)
    while state.phase != "over":
        legal = engine.legal_actions(state)
        action = players[state.turn].choose(engine.observe(state, state.turn), legal)
        state = engine.apply(state, action)
    return [
        next(at for at, group in enumerate(engine.outcome(state).placings) if seat in group)
        for seat in range(len(seats))
    ]


@pytest.mark.parametrize("same", [False, True])
def test_a_small_night_shares_out_a_half_for_each_hand(same):
    shares, ahead = BENCH["night"](play, [0, 1, 2] * 2 + [0, 2], random.Random(1), same=same)
    deals = BENCH["ROUNDS"] * BENCH["DEALS"]
    assert sum(shares.values()) == pytest.approx(8 * deals / 2)
    assert sum(ahead.values()) == pytest.approx(0)


def test_tau_is_one_for_the_right_order_and_minus_one_for_the_reverse():
    strong = [0, 1, 2, 0, 1, 2]
    assert BENCH["tau"](dict(enumerate(strong)), strong) == 1
    assert BENCH["tau"]({player: -bot for player, bot in enumerate(strong)}, strong) == -1
    assert BENCH["tau"](dict.fromkeys(range(6), 0.5), strong) == 0


def test_sharper_scores_have_a_wider_gap_between_bots_for_their_spread():
    rng, strong = random.Random(1), [0, 1, 2] * 4
    worth = [
        BENCH["sharpness"](
            [{p: bot + rng.gauss(0, noise) for p, bot in enumerate(strong)} for _ in range(20)],
            strong,
        )
        for noise in (0.5, 1, 2)
    ]
    assert all(sharp > blunt for sharp, blunt in pairwise(worth))
