"""Bots of installed packages: found by their entry points, loaded when they are needed."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from engine.bots import BOTS, LADDER, PluggedError, make, register, version_of
from engine.bots.plugins import GROUP, Plugged

MISER = """
class MiserBot:
    name, version = "miser", 7
    def __init__(self, seed): pass
    def choose(self, observation, legal): return legal[-1]
class Nobody:
    version = 1
class Vague:
    version = "new"
    def choose(self, observation, legal): ...
"""


@pytest.fixture
def package(tmp_path):
    """A folder like an installed package that names three bots."""
    (tmp_path / "miser.py").write_text(MISER)
    info = tmp_path / "miser-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: miser\nVersion: 1.0\n")
    lines = ["miser = miser:MiserBot", "greedy = miser:MiserBot", "broken = nothing:Bot"]
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n" + "\n".join(lines) + "\n")
    return tmp_path


def python(package, code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(package)},
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


def test_a_bot_of_a_package_is_offered_beside_the_ladder(package):
    code = "from engine.bots import *; print(*BOTS); print(version_of('miser'))"
    names = python(package, code)
    assert names == [*LADDER_IN_ORDER, "broken", "miser", "7"]


def test_a_ladder_name_stays_with_the_ladder(package):
    assert python(package, "from engine.bots import *; print(version_of('greedy'))") == ["1"]


def test_it_plays(package):
    code = (
        "from engine.sim.simulation import *; from engine.rules.ruleset import preset;"
        "b = play_block(preset('killa'), ['miser', 'greedy'], 1, 0, 2);"
        "print(b.games, len(b.tally['effects']['faults']))"
    )
    assert python(package, code) == ["4", "0"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("nothing_here:Bot", "ModuleNotFoundError"),
        ("json:Bot", "AttributeError"),
        ("plugged_example:Nobody", "no method choose"),
        ("plugged_example:Vague", "a whole number"),
    ],
)
def test_what_is_no_bot_says_why(tmp_path, monkeypatch, value, words):
    (tmp_path / "plugged_example.py").write_text(MISER)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluggedError, match=words):
        Plugged(EntryPoint("odd", value, GROUP)).load()


@pytest.mark.parametrize("name", ["greedy", "", "Miser", "a b", "x" * 31, "9lives", "đ"])
def test_a_name_that_cannot_be_is_refused(name):
    before = dict(BOTS)
    with pytest.raises(PluggedError):
        register(name, Plugged(EntryPoint(name, "json:loads", GROUP)))
    assert before == BOTS


def test_every_bot_has_its_name_and_its_version():
    for name in BOTS:
        bot = make(name, 1)
        assert (bot.name, bot.version) == (name, version_of(name))
    assert all(version_of(name) >= 1 for name in LADDER)


LADDER_IN_ORDER = [name for name in BOTS if name in LADDER]
