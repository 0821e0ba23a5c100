"""The engine and the reference agree on random positions of every ruleset."""

import json
import subprocess
import sys
from random import Random

import pytest

from tests.reference.compare import compare
from tests.reference.generator import random_game
from tests.reference.names import to_engine
from tests.reference.rulesets import PRESETS


@pytest.mark.parametrize("house", [False, True], ids=["preset", "house rules"])
@pytest.mark.parametrize("key", PRESETS)
def test_engine_agrees_on_random_positions(key, house):
    tally = compare(key, positions=200, house=house, chops=20)
    assert tally.failure == ""
    assert tally.chops >= 20


@pytest.mark.long
@pytest.mark.parametrize("house", [False, True], ids=["preset", "house rules"])
@pytest.mark.parametrize("key", PRESETS)
def test_engine_agrees_on_twenty_thousand_positions(key, house):
    tally = compare(key, positions=20_000, seed=2, house=house, chops=2_000)
    assert tally.failure == ""
    assert (tally.positions >= 20_000, tally.chops >= 2_000) == (True, True)


def test_the_batch_command_answers_like_the_reference():
    rng = Random("batch")
    games = [random_game(rng, key) for key in PRESETS for _ in range(3)]
    cuts = [(game, rng.choice(game.positions)) for game in games]
    lines = "\n".join(json.dumps(to_engine(game.cut(position))) for game, position in cuts)
    command = [sys.executable, "-m", "engine", "batch", "legal"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        position.legal for _, position in cuts
    ]
