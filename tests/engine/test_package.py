"""The engine as a package: its tutorial runs, its promises hold, and its wheel stands alone."""

import doctest
import gzip
import hashlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

import engine
from engine import bots, cli
from engine.records import conformance
from engine.rules.ruleset import preset_keys
from engine.sim import dataset

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "engine"


DOCUMENTED = ("rules.game", "rules.cards", "adapters.actions", "adapters.rewards", "sim.effects")
EXAMPLES = f"""
import doctest, importlib
found = doctest.testfile({str(ENGINE / "README.md")!r}, False)
assert found.attempted > 25 and not found.failed
for module in {DOCUMENTED}:
    assert not doctest.testmod(importlib.import_module(f"tien_len.{{module}}")).failed
"""


@pytest.fixture
def named(tmp_path, monkeypatch):
    """The package by the name of its distribution, and nothing else of ours."""
    (tmp_path / "tien_len").symlink_to(ENGINE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_the_tutorial_and_the_examples_of_docstrings_run(named):
    run([sys.executable, "-c", EXAMPLES], cwd=named)


@pytest.mark.long
def test_a_type_checker_accepts_the_tutorial(named):
    examples = doctest.DocTestParser().get_examples((ENGINE / "README.md").read_text())
    (named / "tutorial.py").write_text("".join(example.source for example in examples))
    run([sys.executable, "-m", "mypy", "--strict", "--config-file=", "tutorial.py"], cwd=named)


def test_the_installed_package_keeps_machine_code_in_the_users_cache(named):
    asked = "from tien_len.core import store; print(store.usual_folder(), len(store._used))"
    has_numba = importlib.util.find_spec("numba") is not None
    where = named / "tien-len" / "core"
    assert run([sys.executable, "-c", asked], cwd=named) == f"{where} {int(has_numba)}\n"


@pytest.mark.long
def test_the_training_loops_of_newcomers_run(named):
    """They compile the core first, learn for a second or two, and say how well they play."""
    pytest.importorskip("numba")
    for words in (["train_loop.py", "3"], ["train_bot.py", "--seconds", "1", "--games", "50"]):
        program = [sys.executable, ROOT / "docs" / "examples" / words[0], *words[1:]]
        told = run(program, cwd=named, PYTHONPATH=str(named), XDG_CACHE_HOME=str(named))
        assert re.search(r"first in \d+\.\d%", told)


def test_a_published_bot_plays_the_ladder_through_either_adapter(named):
    program = ROOT / "docs" / "examples" / "published_bot.py"
    told = run([sys.executable, program], cwd=named, PYTHONPATH=str(named), TIENLEN_CORE="python")
    assert re.findall(r"^(\w+)", told, re.M) == ["published", "network", "greedy", "greedy"]


def test_ones_own_bots_play_in_one_call():
    class First:
        def __init__(self, seed):
            pass

        def choose(self, observation, legal):
            return legal[0]

    class Broken(First):
        name = "broken"

        def choose(self, observation, legal):
            raise ValueError("I do not know")

    before = dict(bots.BOTS)
    found = engine.play_games([First, First(1), "greedy", "lowest"], deals=3, seed="s")
    assert list(found) == ["own", "own 2", "greedy", "lowest"]
    assert sum(found["greedy"].ranks) == 12
    again = engine.play_games([First, First, "greedy", "lowest"], deals=3, seed="s")
    assert again["own 2"].ranks == found["own 2"].ranks
    with pytest.raises(engine.EngineError, match="I do not know"):
        engine.play_games([Broken, "greedy"], deals=1)
    assert before == bots.BOTS


def test_every_room_is_packed():
    """A folder that is added is named in the package's pyproject.toml."""
    project = tomllib.loads((ENGINE / "pyproject.toml").read_text(encoding="utf-8"))
    packed = set(project["tool"]["setuptools"]["packages"])
    rooms = [path.parent.relative_to(ROOT).parts for path in ENGINE.rglob("__init__.py")]
    there = {".".join(("tien_len", *room[1:])) for room in rooms if "build" not in room}
    assert packed == there
    assert project["project"]["dependencies"] == []


def test_this_engine_conforms():
    cases = list(conformance.cases())
    wrong = [case.name for case in cases if not case.is_met(conformance.answer(*case[1:3]))]
    assert wrong == []
    assert len(cases) == len({case.name for case in cases}) == 319
    assert {
        case.record["ruleset"] for case in cases if isinstance(case.record["ruleset"], str)
    } == {*preset_keys()}


def test_a_program_is_held_against_the_cases(capsys, tmp_path):
    program = tmp_path / "other.py"
    program.write_text(
        "import sys\nfor line in sys.stdin: print('{}' if len(line) % 2 else '{\"error\": 1}')\n"
    )
    assert cli.main(["conformance", "--program", f"{sys.executable} {program}"]) == 1
    told = capsys.readouterr().out
    assert "cases are answered wrongly" in told
    assert told.count("  expected {") == told.count("  got      {") > 0
    program.write_text("")
    assert cli.main(["conformance", "--program", f"{sys.executable} {program}"]) == 2
    assert "answered 0 of" in capsys.readouterr().err


def test_a_data_set_is_written_by_one_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(dataset, "LINE_UPS", dataset.LINE_UPS[:1])
    for name in ("one", "two"):
        assert cli.main(["dataset", str(tmp_path / name), "--games", "30"]) == 0
    lines = gzip.decompress((tmp_path / "one" / "records.jsonl.gz").read_bytes())
    found = json.loads((tmp_path / "one" / "baselines.json").read_text())
    assert found == json.loads((tmp_path / "two" / "baselines.json").read_text())
    assert found["sha256"] == hashlib.sha256(lines).hexdigest()
    assert found["games"] == len(lines.splitlines()) >= 30
    assert {json.loads(line)["ruleset"] for line in lines.splitlines()} == set(preset_keys())
    assert cli.main(["dataset", str(tmp_path / "none"), "--games", "0"]) == 2
    numpy = pytest.importorskip("numpy")
    made = [str(tmp_path / "one" / "records.jsonl.gz"), str(tmp_path / "made.npz")]
    assert cli.main(["npz", *made, "--games", "9"]) == 0
    arrays = numpy.load(made[1])
    decisions = len(arrays["actions"])
    assert arrays["observations"].shape == (decisions, 627)
    masks = numpy.unpackbits(arrays["masks"], axis=1)[:, :1315]
    assert masks[numpy.arange(decisions), arrays["actions"]].all()
    assert (masks.sum(1) > 1).all()
    assert len(arrays["rewards"]) == arrays["games"].max() + 1 == 9
    capsys.readouterr()


def commands() -> list[list[str]]:
    """The commands of pip in the README, as a reader would type them."""
    lines = re.findall(r"^pip .*|(?<=`)pip [^`]*", (ENGINE / "README.md").read_text(), re.M)
    return [shlex.split(line, comments=True) for line in lines]


def test_the_readme_installs_from_the_folder_and_leaves_nothing_for_git():
    """The package is on no index: a name alone would find nothing."""
    assert [command[1] for command in commands()] == ["install", "install", "install", "wheel"]
    extras = tomllib.loads((ENGINE / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for command in commands():
        folder, _bracket, extra = command[-1].rstrip("]").partition("[")
        assert folder == "./engine"
        assert not extra or extra in extras
    for made in ("engine/build/lib/engine/cli.py", "engine/tien_len_engine.egg-info/PKG-INFO"):
        run(["git", "-C", ROOT, "check-ignore", "--quiet", made])


@pytest.mark.long
def test_the_first_line_of_the_readme_installs_it_into_an_empty_environment(tmp_path):
    source = tmp_path / "source"
    run(["git", "-C", ROOT, "checkout-index", "--all", f"--prefix={source}/"])
    run(["git", "-C", source, "init", "--quiet"])
    run(["git", "-C", source, "add", "--all"])
    venv.create(tmp_path / "empty", with_pip=True)
    program, *words = commands()[0]
    run([tmp_path / "empty" / "bin" / program, *words], cwd=source)
    run([tmp_path / "empty" / "bin" / "tien-len", "rules", "list"])
    untracked = ["git", "-C", source, "ls-files", "--others", "--exclude-standard"]
    assert run(untracked) == ""


@pytest.mark.long
def test_the_wheel_stands_alone(tmp_path):
    """Built, installed into an empty environment beside nothing of ours: tutorial and adapters."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    source = tmp_path / "source" / "engine"
    run(["git", "-C", ROOT, "checkout-index", "--all", f"--prefix={tmp_path}/source/"])
    run([*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, source])
    (wheel,) = tmp_path.glob("*.whl")
    assert re.fullmatch(r"tien_len_engine-\d+\.\d+\.\d+-py3-none-any\.whl", wheel.name)
    assert wheel.stat().st_size < 2_000_000
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", "--no-index", wheel])
    run([python, "-c", EXAMPLES])
    run([tmp_path / "empty" / "bin" / "tien-len", "conformance", "--program", "tien-len batch"])
    run([python, "-m", "pip", "install", "--quiet", f"{wheel}[pettingzoo]"])
    api = "from pettingzoo.test import api_test; from tien_len.adapters.aec import env\n"
    run([python, "-c", api + "api_test(env(), 1000); api_test(env('thirteen', 8, 'money'), 300)"])


def run(command, cwd="/", **named):
    # Nothing of the checkout may be found by chance.
    hidden = ("PYTHON", "TIENLEN_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    env |= named
    env["PATH"] = f"{Path(command[0]).parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
