"""``python -m engine bench``: the speed of the engine for each ruleset.

Figures are per second of processor time of one process, so that a busy machine distorts them less;
docs/performance.md explains how to read them.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import cast

from ..bots import make
from ..bots.base import Reflex
from ..bots.imagination import worths
from ..bots.weights import shipped_weights
from ..core import store
from ..core.compiled import Core
from ..core.games import POLICIES, Games
from ..core.rules_data import fits
from ..records.record import record_of, replay
from ..rules.cardset import unpack
from ..rules.deal import deal
from ..rules.errors import EngineError
from ..rules.game import State, apply, legal_actions, start
from ..rules.ruleset import Ruleset, preset, preset_keys
from ..rules.state import OVER, PLAY
from ..rules.trick import legal_plays
from .simulation import play_tricks

_POSITIONS = 400
_MOST_SECONDS = 600
_HEADINGS = ("random", "greedy", "lists", "replays")
_CORE_BOTS = ("random", "greedy", "planner")
_CORE_HEADINGS = tuple(f"core {bot}" for bot in _CORE_BOTS)
_BATCH = 64


def run(arguments: argparse.Namespace) -> int:
    """Print the figures of the requested rulesets; return the exit status."""
    if not 0 < arguments.seconds <= _MOST_SECONDS:
        raise EngineError(f"seconds must be more than 0 and at most {_MOST_SECONDS}")
    rulesets = [preset(key) for key in arguments.ruleset or preset_keys()]
    print(f"import {start.__module__}: {import_time():.1f} ms; all figures per second of one core")
    core = _ready_core()
    headings = _HEADINGS + (_CORE_HEADINGS if core else ())
    print(f"{'ruleset':<15}" + "".join(f"{heading:>13}" for heading in headings))
    for ruleset in rulesets:
        rates = measure(ruleset, arguments.seconds)
        if core and fits(ruleset):
            rates += measure_core(core, ruleset, arguments.seconds)
        print(f"{ruleset.key:<15}" + "".join(f"{rate:>13.0f}" for rate in rates), flush=True)
    return 0


def measure(ruleset: Ruleset, seconds: float) -> tuple[float, ...]:
    """Return rates per second: random games, greedy games, lists of legal plays, record replays.

    A game runs from the shuffle to the outcome, with four players.
    """
    rng = Random(1)
    records = [record_of(_random_game(ruleset, rng)[-1]) for _ in range(10)]
    positions: list[State] = []
    while len(positions) < _POSITIONS:
        positions += _random_game(ruleset, rng)[:-1]
    del positions[_POSITIONS:]
    texts = [json.dumps(record) for record in records]
    return (
        _rate(lambda: _play_games(ruleset, "random", rng), seconds),
        _rate(lambda: _play_games(ruleset, "greedy", rng), seconds),
        _rate(lambda: len([legal_plays(state) for state in positions]), seconds),
        _rate(lambda: len([replay(json.loads(text)) for text in texts]), seconds),
    )


def measure_core(core: Core, ruleset: Ruleset, seconds: float) -> tuple[float, ...]:
    """Return the rates of random, greedy and planner games on the compiled core."""
    rng = Random(1)
    games = Games(core, ruleset, 4)
    games.plan(worths(ruleset, 4, shipped_weights()))
    games.seed_deck(1)
    return tuple(
        _rate(lambda bot=bot: play_on_core(games, ruleset, bot, rng), seconds)  # type: ignore[misc]
        for bot in _CORE_BOTS
    )


def _ready_core() -> Core | None:
    """Return the core, after compiling it if necessary; None if this process cannot have one."""
    if reason := store.missing():
        print(f"without the compiled core: {reason}")
        return None
    kept = store.Store(store.usual_folder())
    if not kept.is_ready():
        print("compiling the core ...", flush=True)
        kept.build()
    return kept.current()


def import_time() -> float:
    """Return the milliseconds that a fresh process takes to import the engine."""
    code = (
        f"from time import perf_counter as t; a = t(); import {start.__module__};"
        " print((t() - a) * 1000)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Return the units per second that `work` does, the best of five stretches."""
    best = 0.0
    for _ in range(5):
        done, begin = 0, process_time()
        while (spent := process_time() - begin) < seconds / 5:
            done += work()
        best = max(best, done / spent)
    return best


def _play_games(ruleset: Ruleset, bot: str, rng: Random) -> int:
    games = 25
    players = [cast(Reflex, make(bot, rng.getrandbits(64))) for _ in range(4)]
    for _ in range(games):
        state = start(ruleset, deal(ruleset, 4, rng))
        while state.phase not in (PLAY, OVER):
            apply(state, legal_actions(state)[0])
        if state.phase == PLAY:
            play_tricks(state, players)
    return games


def play_on_core(games: Games, ruleset: Ruleset, bot: str, rng: Random) -> int:
    games.seat([POLICIES[bot]] * 4, [rng.getrandbits(64) for _ in range(4)])
    played, left = games.deal(_BATCH)
    count = len([game for game in played if game])
    if left:
        state = start(ruleset, [unpack(hand) for hand in left])
        while state.phase not in (PLAY, OVER):
            apply(state, legal_actions(state)[0])
        if state.phase == PLAY:
            games.play_out(state)
        count += 1
    return count


def _random_game(ruleset: Ruleset, rng: Random) -> list[State]:
    """Return all positions of a random game in which a seat is to play, and the final one."""
    state = start(ruleset, deal(ruleset, 4, rng))
    states = []
    while actions := legal_actions(state):
        if state.phase == PLAY:
            states.append(state.copy())
        apply(state, actions[int(rng.random() * len(actions))])
    return [*states, state]
