"""Ends what hangs: a phase of a test, the whole run, and what a test has left running.

Each phase (setup, call, teardown) has its seconds, more by `@pytest.mark.limit(120, reason="…")`.
Then the stacks of all threads are shown, and the main thread is rung once a second: each ring
raises TooLong where it stands, so that a pool or a teardown that waits once more is left too and
fixtures end what they started. Who does not hear ten rings is ended with its process. Not by
SIGALRM: the product's own watch over bots takes it (tables/programs/watch.py).
"""

import faulthandler
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import pytest
from _pytest.outcomes import OutcomeException

RING = signal.SIGUSR2
USUAL, LONG = 60, 15 * 60
"""Seconds of a phase, and with --long, where a test may ask a thousand times as much."""
RINGS = 10
DEAF = 60
"""Seconds in which no Python ran at all, as in a C function that keeps the interpreter's lock."""
LINGER = 3
"""Seconds that processes have at the end of the run to end by themselves."""
NOT_ENDED, LEFT_BEHIND = 70, 71
"""Exit statuses, neither of which pytest has."""
MARK = "RUN_OF_TESTS"
"""Stands in the environment of all that a test starts: the run, a blank, and the test."""


class TooLong(OutcomeException):
    """Not an Exception, which the product and Hypothesis take for their own; fixtures end all."""


@dataclass
class Bell:
    """What has its seconds, and how often it was rung since they were over."""

    what: str = ""
    seconds: float = inf
    error: Callable[[str], BaseException] = TooLong
    is_patient: bool = False
    rung: int = 0

    def __post_init__(self) -> None:
        self._began = time.monotonic()

    def is_over(self) -> bool:
        taken = time.monotonic() - self._began
        return taken > self.seconds and (not self.is_patient or taken > self.seconds * crowd())


def crowd() -> float:
    """Return how many want each core of this machine, at least one: what is slow does not hang."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


class Watch:
    """One thread that looks once a second whether what runs has taken too long."""

    def __init__(self, whole: Bell) -> None:
        self.bells = {"run": whole, "phase": Bell()}
        self.running: dict[str, float] = {}
        self.status = NOT_ENDED
        self._stderr = os.dup(2)
        signal.signal(RING, self._raise)
        threading.Thread(target=self._look, name="limits", daemon=True).start()

    @contextmanager
    def over(self, what: str, seconds: float) -> Iterator[None]:
        bell = Bell(f"{what} took over {seconds:g} s", seconds, is_patient=True)
        self.bells["phase"] = bell
        try:
            yield
        finally:
            self.bells["phase"] = Bell()
        if bell.rung:  # It caught what was raised, and passed.
            raise TooLong(bell.what)

    def last(self, seconds: float, status: int) -> None:
        """From now on nobody is rung: what does not end is ended, with this exit status."""
        self.status = status or NOT_ENDED
        self.bells = {"phase": Bell("All is done, and threads still run", seconds, rung=RINGS)}

    def _look(self) -> None:
        while True:
            faulthandler.dump_traceback_later(DEAF, exit=True, file=self._stderr)
            time.sleep(1)
            for bell in list(self.bells.values()):
                if 0 < bell.rung < RINGS or bell.is_over():
                    self._ring(bell)

    def _ring(self, bell: Bell) -> None:
        if bell.rung >= RINGS:
            self._say(f"{bell.what}: the process is ended.\n{stacks()}")
            os._exit(self.status)
        if not bell.rung:
            self._say(f"{bell.what}.\n{self._were_running()}{stacks()}")
        bell.rung += 1
        signal.pthread_kill(threading.main_thread().ident or 0, RING)

    def _were_running(self) -> str:
        now = time.monotonic()
        running = sorted((now - at, name) for name, at in self.running.items())
        return "".join(f"Running for {seconds:.0f} s: {name}\n" for seconds, name in running)

    def _say(self, text: str) -> None:
        os.write(self._stderr, f"\n{text}\n".encode())

    def _raise(self, *_given: object) -> None:
        for bell in self.bells.values():
            if bell.rung:  # Else it ended while the bell rang.
                raise bell.error(bell.what)


def stacks() -> str:
    """Return the name and the stack of every thread, without pytest's own calls."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    shown = []
    for ident, frame in sys._current_frames().items():
        calls = [
            call
            for call in traceback.format_stack(frame)
            if "/_pytest/" not in call and "/pluggy/" not in call
        ]
        shown.append(f"--- {names.get(ident, ident)}\n{''.join(calls)}")
    return "\n".join(shown)


def started_by(run: str) -> dict[int, str]:
    """Return the processes that tests of this run started, each with its test and its command."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (
                (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            )
        except OSError:  # It has ended, or it is somebody else's.
            continue
        for entry in environment:
            if entry.startswith(f"{MARK}={run} ".encode()):
                test = entry.decode(errors="replace").partition(" ")[2]
                found[int(folder.name)] = f"{test} left process {folder.name}: {command[:100]}"
    return found


def _limit(seconds: float, *, reason: str) -> float:
    """Return what a marker allows: without a reason it is none."""
    return seconds


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--phase-seconds", type=float, help="limit of a test's phase")
    parser.addoption("--run-seconds", type=float, default=0, help="limit of the whole run, or 0")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "limit(seconds, *, reason): a phase may take longer")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Ignored by what a script began.
    config.pluginmanager.register(Limits(config))


class Limits:
    def __init__(self, config: pytest.Config) -> None:
        self.controls = not hasattr(config, "workerinput")
        whole = Bell()
        if self.controls:
            os.environ[MARK] = f"{os.getpid()}-{time.time_ns()}"
            if seconds := config.getoption("--run-seconds"):
                what = f"The run took over {seconds / 60:g} minutes"
                whole = Bell(what, seconds, partial(pytest.exit.Exception, returncode=2))
        self.run = os.environ[MARK].partition(" ")[0]
        self.left: dict[int, str] = {}
        self.end = LONG if config.getoption("--long", False) else USUAL
        self.usual: float = config.getoption("--phase-seconds") or self.end
        self.status = 0
        self.watch = Watch(whole)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.watch.running[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.watch.running.pop(nodeid, None)

    @contextmanager
    def _phase(self, item: pytest.Item, name: str) -> Iterator[None]:
        os.environ[MARK] = f"{self.run} {item.nodeid}"
        marker = item.get_closest_marker("limit")
        seconds = _limit(*marker.args, **marker.kwargs) if marker else self.usual
        with self.watch.over(f"The {name} of {item.nodeid}", seconds):
            yield

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._phase(item, "setup"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._phase(item, "call"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        with self._phase(item, "teardown"):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self) -> None:
        """Ring no more: what is being written of the first ring takes more than a second."""
        self.watch.bells["run"] = Bell()

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, Any, Any]:
        """End what tests have left running, once xdist's workers and all fixtures have ended."""
        self.watch.bells["run"] = Bell()
        with self.watch.over("The end of the run", self.end):
            yield
        if self.controls:
            deadline = time.monotonic() + LINGER
            while (left := started_by(self.run)) and time.monotonic() < deadline:
                time.sleep(0.1)
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            if left:
                self.left, session.exitstatus = left, LEFT_BEHIND
        self.status = int(session.exitstatus)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left:
            terminalreporter.section("left running by tests, now ended")
        for line in self.left.values():
            terminalreporter.write_line(line)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        if self.controls:  # xdist ends its workers itself.
            self.watch.last(min(self.end, 30), self.status)
