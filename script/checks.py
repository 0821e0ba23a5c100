"""The steps of script/test: the quick checks side by side, pytest last."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from corner import guessed

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "accounts", "tables", "league", "config", "launcher")
STEPS = {
    "mypy": ["mypy", "--no-error-summary", *PACKAGES],  # The longest begins first.
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "djlint": ["djlint", "--lint", "templates"],
    "djlint layout": ["djlint", "--check", "templates"],
    "migrations": ["manage.py", "makemigrations", "--check", "--dry-run"],
    "manage.py check": ["manage.py", "check"],
}
MOST_PROCESSES = 4


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return the options and the arguments that are pytest's."""
    parser = argparse.ArgumentParser(
        prog="script/test",
        description="Checks style, types and migrations, then runs the tests.",
        epilog="A file runs the tests that likely see it: script/test league/base/texts.py. "
        "Everything else is handed to pytest, for example: script/test --fast -k standings",
    )
    parser.add_argument("--fast", action="store_true", help="pytest alone")
    parser.add_argument("--long", action="store_true", help="the long tests too")
    parser.add_argument("--faults", metavar="N", help="plant N faults: which tests see them?")
    return parser.parse_known_args(arguments)


def run(options: argparse.Namespace, for_pytest: list[str]) -> int:
    """Run the steps, each with its seconds; return the exit status, 0 when all is well."""
    # Tests start hundreds of processes, which otherwise all compile every module anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if (tests := guessed(for_pytest)) != for_pytest:
        print("A guess, the whole suite sees more:", *tests, flush=True)
        for_pytest, options.fast = tests, True
    if options.faults:
        command = [sys.executable, "script/trials/plant_faults.py", options.faults, *for_pytest]
        return subprocess.run(command, cwd=ROOT).returncode
    if not options.fast:
        with ThreadPoolExecutor(os.cpu_count()) as pool, _collecting(for_pytest):
            passed = dict(zip(STEPS, pool.map(_passes, STEPS), strict=True))
        if failed := [name for name in STEPS if not passed[name]]:
            print(f"Failed: {', '.join(failed)}. pytest was not run.", flush=True)
            return 1
    command = [sys.executable, "-m", "pytest", *_processes(for_pytest), *for_pytest]
    return subprocess.run(command + (["--long"] if options.long else []), cwd=ROOT).returncode


@contextmanager
def _collecting(for_pytest: list[str]) -> Iterator[None]:
    """Let one process compile the tests: those of the whole suite would all do it at once."""
    if for_pytest or any(ROOT.glob("tests/__pycache__/conftest.*-pytest-*.pyc")):
        yield
        return
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as collecting:
        yield
        collecting.wait()


def _passes(name: str) -> bool:
    program, *arguments = STEPS[name]
    module = [program] if program.endswith(".py") else ["-m", program]
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, *module, *arguments],
        cwd=ROOT,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    passed = done.returncode == 0
    seconds = time.monotonic() - started
    print(f"{name:<16} {'ok' if passed else 'FAILED':<7} {seconds:5.1f} s", flush=True)
    if not passed:
        print(done.stdout.rstrip(), flush=True)
    return passed


def _environment() -> dict[str, str]:
    """Return what the commands need to find a database: never that of the product."""
    sys.path.insert(0, str(ROOT))
    from tests.plugins.place import data_folder

    return os.environ | {"TIENLEN_DATA": str(data_folder() / "checks"), "NO_COLOR": "1"}


def _processes(for_pytest: list[str]) -> list[str]:
    """Return xdist's option for the whole suite; a part of it is quicker in one process."""
    cores = os.cpu_count() or 1
    processes = min(cores + 2, MOST_PROCESSES)  # Two always wait for a browser or a database.
    return [f"-n{processes}", "--dist=worksteal"] if cores > 1 and not for_pytest else []
