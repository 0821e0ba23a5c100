"""The engine and the reference agree on random positions of every ruleset."""

import json
import subprocess
import sys
from random import Random, SystemRandom

import pytest

from engine.rules.ruleset import CHOICES, preset
from tests.reference.compare import compare
from tests.reference.generator import random_game
from tests.reference.names import engine_options, to_engine
from tests.reference.rulesets import PRESETS
from tests.reference.variants import house_rules


@pytest.mark.parametrize("house", [False, True], ids=["preset", "house rules"])
@pytest.mark.parametrize("key", PRESETS)
def test_engine_agrees_on_random_positions(key, house):
    tally = compare(key, positions=200, house=house, chops=20)
    assert tally.failure == ""
    assert tally.chops >= 20


@pytest.mark.long
@pytest.mark.parametrize("house", [False, True], ids=["preset", "house rules"])
@pytest.mark.parametrize("key", PRESETS)
def test_engine_agrees_on_ten_thousand_positions(key, house):
    seed = SystemRandom().getrandbits(32)  # Others each time; what differs is told as a record.
    tally = compare(key, positions=10_000, seed=seed, house=house, chops=1_000)
    assert not tally.failure, tally.failure
    assert (tally.positions >= 10_000, tally.chops >= 1_000) == (True, True)


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


def test_the_reference_tries_every_value_that_the_engine_takes():
    """A value that it never draws is compared with nothing: teach it the rule, then draw it."""
    rng, tried = Random("values"), {name: set() for name in CHOICES}
    for _ in range(400):
        for key in PRESETS:
            own = {name: getattr(preset(key), name) for name in CHOICES}
            fields = own | engine_options(key, house_rules(rng, key))
            for name in CHOICES:
                value = fields[name]
                tried[name] |= {value} if isinstance(value, str) else set(value)
    missing = {name: set(names) - tried[name] for name, names in CHOICES.items()}
    assert {name: names for name, names in missing.items() if names} == {}
