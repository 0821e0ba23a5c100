"""Detection of programs that run but no longer answer: stopped, deadlocked or looping."""

import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Protocol

PAUSE = 1.0  # Seconds between two health checks.
PATIENCE = 4  # Failed checks in a row; each may take two seconds.
START_PATIENCE = 90  # Checks before the first answer of a starting program that makes progress.
STILL_PATIENCE = 8  # Checks if the kernel never runs it in between.
STOPPED_PATIENCE = 2  # Checks if the kernel has been told not to run it.
LAST_WORDS_SECONDS = 2


class Watchable(Protocol):
    """A program with a health check; `last_words` makes it write its stacks or stop cleanly."""

    name: str
    process: Popen[bytes] | None
    last_words: signal.Signals

    def answers(self) -> bool: ...


class Watchdog:
    """A health checker with one daemon thread per program.

    It counts checks, not seconds: after a machine's sleep no program is taken for hung.
    """

    def __init__(self, programs: Sequence[Watchable]) -> None:
        self._left: dict[str, tuple[object, int]] = {}
        for program in programs:
            threading.Thread(target=self._watch, args=[program], daemon=True).start()

    def is_hung(self, program: Watchable) -> bool:
        """Return whether the program has failed enough checks since its last start."""
        asked, left = self._left.get(program.name, (None, START_PATIENCE))
        return left <= 0 and asked is program.process

    def _watch(self, program: Watchable) -> None:
        asked, left, still, stopped, before = None, START_PATIENCE, 0, 0, ""
        while True:
            if program.process is not asked:
                asked, left, still, before = program.process, START_PATIENCE, 0, ""
            left = PATIENCE if program.answers() else left - 1
            now = _run_so_far(asked.pid) if asked is not None else ""
            still = still + 1 if left > PATIENCE and now == before != "" else 0
            before = now
            stopped = stopped + 1 if asked is not None and is_stopped(asked.pid) else 0
            is_over = still >= STILL_PATIENCE or stopped >= STOPPED_PATIENCE
            self._left[program.name] = asked, 0 if is_over else left
            time.sleep(PAUSE)


def is_stopped(pid: int) -> bool:
    """Return whether the process was stopped (SIGSTOP); False where that is not known."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    except (OSError, IndexError):
        return False


def _run_so_far(pid: int) -> str:
    """Return a value that changes whenever the process runs; "" if it waits for a CPU or a disk.

    A slow start on a busy machine does one or the other; a stopped or deadlocked program does
    neither.
    """
    try:
        threads = sorted(Path(f"/proc/{pid}/task").iterdir())
        states = [(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in threads]
        ran = [(thread / "schedstat").read_text() for thread in threads]
    except (OSError, IndexError):  # The process has ended, or this system has no such files.
        return ""
    return "" if {"R", "D"} & set(states) else " ".join(ran)


def ask_for_last_words(program: Watchable) -> None:
    """Make a hung program, even a stopped one, write its stacks or shut down cleanly."""
    process = program.process
    assert process is not None
    process.send_signal(program.last_words)
    process.send_signal(signal.SIGCONT)
    with suppress(TimeoutExpired):
        process.wait(LAST_WORDS_SECONDS)
