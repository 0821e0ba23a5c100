"""The steps of script/test: the quick checks side by side, then pytest, mypy beside both."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corner import guessed

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "accounts", "tables", "league", "config", "launcher")
STEPS = {
    "mypy": ["mypy", "--no-error-summary", *PACKAGES],  # First: the others end long before.
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "djlint": ["djlint", "--lint", "templates"],
    "djlint layout": ["djlint", "--check", "templates"],
    "migrations": ["manage.py", "makemigrations", "--check", "--dry-run"],  # And checks.
}
PYTEST = [sys.executable, "-m", "pytest"]
MOST_PROCESSES = 4
MOST_SECONDS, SECOND_SECONDS = 40 * 60, 5 * 60
"""Limits of a run without --long, and of the second look."""
MOST_FAILED, MOST_UNSTEADY = 20, 3
"""Above the first, nothing is looked at again; above the second, what is unsteady has failed."""


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return the options and the arguments that are pytest's."""
    parser = argparse.ArgumentParser(
        prog="script/test",
        description="Checks style, types and migrations, then runs the tests.",
        epilog="A word runs the tests that have it in their path or name: script/test seating. "
        "A file runs the tests that likely see it: script/test league/base/texts.py. "
        "Everything else is handed to pytest, for example: script/test --fast tests/rules -x",
    )
    parser.add_argument("--fast", action="store_true", help="pytest alone")
    parser.add_argument("--long", action="store_true", help="the long tests too")
    parser.add_argument("--browser", action="store_true", help="with a word: browser tests too")
    parser.add_argument("--times", action="store_true", help="all dear tests, and note their time")
    parser.add_argument("--shuffle", metavar="SEED", help="order the tests by chance")
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
        command = [sys.executable, "script/lab/plant_faults.py", options.faults, *for_pytest]
        return subprocess.run(command, cwd=ROOT).returncode
    chosen = [f"--{name}" for name in ("long", "browser") if getattr(options, name)]
    if options.shuffle:
        chosen.append(f"--shuffle={options.shuffle}")
    if not options.long:
        chosen.append(f"--run-seconds={MOST_SECONDS}")
    if word := _word(for_pytest):
        about = [*_across(os.cpu_count() or 1), f"--word={word}", *for_pytest[1:], *chosen]
        return verdict([*PYTEST, *about]) if options.fast or _is_neat(_changed()) else 1
    types = None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if not options.fast:
            with _collecting(for_pytest):
                steps = {name: pool.submit(_passes, name) for name in STEPS}
                types = steps.pop("mypy")
                failed = [name for name, step in steps.items() if not step.result()]
            if failed:
                failed += [] if types.result() else ["mypy"]
                print(f"Failed: {', '.join(failed)}. pytest was not run.", flush=True)
                return 1
        return _tested(options, for_pytest, chosen, types)


def _tested(
    options: argparse.Namespace,
    for_pytest: list[str],
    chosen: list[str],
    types: Future[bool] | None,
) -> int:
    """Run pytest, while mypy still looks at the types."""
    if not (for_pytest or options.long or options.times):
        chosen.append(f"--turn={(turn := _turn())}")
        if not options.shuffle:
            chosen.append(f"--shuffle={turn}")
            print(f"In the order of this commit: script/test --shuffle {turn}", flush=True)
    again = [] if for_pytest else [*PYTEST, *chosen, "--again"]
    command = [*PYTEST, *_processes(for_pytest), *for_pytest, *chosen]
    return verdict(command, again=again, noted=options.times, types=types)


def _word(for_pytest: list[str]) -> str:
    """Return the word by which tests are chosen: the first argument, if it can be no path."""
    first = for_pytest[0] if for_pytest else ""
    is_path = first.startswith(("-", "@", "tests")) or "/" in first or ".py" in first
    return "" if is_path else first


def _is_neat(changed: list[str]) -> bool:
    """Return whether ruff finds nothing in these files."""
    for check in (["check"], ["format", "--check"]) if changed else ():
        command = [sys.executable, "-m", "ruff", *check, "--force-exclude", "--quiet", *changed]
        if subprocess.run(command, cwd=ROOT).returncode:
            return False
    return True


def _changed() -> list[str]:
    """Return the Python files that differ from the last commit, and the new ones."""
    command = ["git", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    names = (entry[3:] for entry in told.split("\0"))
    return [name for name in names if name.endswith(".py") and (ROOT / name).exists()]


def _turn() -> int:
    """Return a number of the last commit: whose turn it is (tests/plugins/turns.py)."""
    command = ["git", "rev-parse", "HEAD"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return int(told[:8] or "0", 16)


def verdict(
    command: list[str],
    *,
    again: Sequence[str] = (),
    noted: bool = False,
    types: Future[bool] | None = None,
) -> int:
    """Run the tests, say their sum in the last line, and return the exit status.

    What failed runs once more, alone, with the command `again`, if there is one. What passes
    then is unsteady, which does not fail the run unless there is too much of it. With `noted`
    what each took is kept. If mypy finds that the `types` are wrong, the tests end.
    """
    status, told = _told(command, types=types)
    if types and not types.result():
        print("Failed: mypy. pytest was ended.", flush=True)
        return 1
    if told is None:
        print(f"\npytest ended with {status} and did not say what became of the tests.", flush=True)
        return status or 1
    if noted:
        _write_seconds(told["seconds"])
    failed, uncollected = told["failed"], told["uncollected"]
    suspects = [name for name in failed if name not in told["firm"]]
    whole = status == 1 and not uncollected and not told["unknown"]
    unsteady: list[str] = []
    if again and whole and suspects and len(failed) <= MOST_FAILED:
        print(f"A second look at {len(suspects)} of {len(failed)} that failed.", flush=True)
        ended, seen = _told([*again, "-q", f"--run-seconds={SECOND_SECONDS}"], suspects)
        if seen is not None and ended in (0, 1):
            unsteady = [name for name in suspects if name in seen["passed"]]
    for name in unsteady:
        print(f"unsteady: {name}: {failed[name]}")
    passed, left = len(told["passed"]), len(failed) + len(uncollected)
    if len(unsteady) <= MOST_UNSTEADY:
        passed, left = passed + len(unsteady), left - len(unsteady)
        status = 0 if unsteady and not left else status
    if told["unknown"] or status not in (0, 1):
        print(f"pytest ended with {status}; {len(told['unknown'])} were not run to their end.")
    print(f"{passed} passed, {left} failed, {len(told['skipped'])} skipped", flush=True)
    return status or int(bool(left or told["unknown"]))


def _told(
    command: list[str], tests: Sequence[str] = (), *, types: Future[bool] | None = None
) -> tuple[int, dict[str, Any] | None]:
    """Run pytest, on these tests alone if there are any: its status, what tests/plugins/told says.

    A process that was ended has said nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        file, chosen = Path(folder, "told.json"), Path(folder, "tests.txt")
        if tests:
            chosen.write_text("\n".join(tests))
            command = [*command, f"@{chosen}"]
        with subprocess.Popen(command, cwd=ROOT, env=os.environ | {"TOLD": str(file)}) as pytest:
            if types:
                types.add_done_callback(
                    lambda done: None if done.result() else pytest.send_signal(signal.SIGINT)
                )
            status = pytest.wait()
        return status, json.loads(file.read_text()) if file.exists() else None


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


def _write_seconds(taken: dict[str, float]) -> None:
    sys.path.insert(0, str(ROOT))
    from tests.plugins.turns import write_seconds

    write_seconds(taken)


def _environment() -> dict[str, str]:
    """Return what the commands need to find a database: never that of the product."""
    sys.path.insert(0, str(ROOT))
    from tests.plugins.place import data_folder

    return os.environ | {"TIENLEN_DATA": str(data_folder() / "checks"), "NO_COLOR": "1"}


def _processes(for_pytest: list[str]) -> list[str]:
    """Return xdist's options for the whole suite; a part of it is quicker in one process."""
    cores = os.cpu_count() or 1
    # Two always wait for a browser or a database.
    return [] if for_pytest else _across(min(cores + 2, MOST_PROCESSES))


def _across(processes: int) -> list[str]:
    several = [f"-n{processes}", "--dist=worksteal", "--max-worker-restart=2"]
    return several if (os.cpu_count() or 1) > 1 else []
