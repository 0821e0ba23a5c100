"""Notices programs that run and answer no more: stopped, deadlocked or in an endless loop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Protocol

PAUSE = 1.0  # Seconds between two questions.
PATIENCE = 4  # Questions without an answer, of which each may take two seconds.
START_PATIENCE = 90  # Before the first answer of a program that starts, if it does something.
STILL_PATIENCE = 8  # If the kernel never runs it between these.
LAST_WORDS_SECONDS = 2


class Watchable(Protocol):
    """A program that can be asked; `last_words` makes it say where it hangs, or end in order."""

    name: str
    process: Popen[bytes] | None
    last_words: signal.Signals

    def answers(self) -> bool: ...


class Watchdog:
    """Asks each program again and again, in a thread for each, as long as this process lives.

    Questions are counted, and not seconds: a machine that slept has hung nobody.
    """

    def __init__(self, programs: Sequence[Watchable]) -> None:
        self._left: dict[str, tuple[object, int]] = {}
        for program in programs:
            threading.Thread(target=self._watch, args=[program], daemon=True).start()

    def is_hung(self, program: Watchable) -> bool:
        """Return whether the program was asked in vain for long enough since it was started."""
        asked, left = self._left.get(program.name, (None, START_PATIENCE))
        return left <= 0 and asked is program.process

    def _watch(self, program: Watchable) -> None:
        asked, left, still, before = None, START_PATIENCE, 0, ""
        while True:
            if program.process is not asked:
                asked, left, still, before = program.process, START_PATIENCE, 0, ""
            left = PATIENCE if program.answers() else left - 1
            now = _run_so_far(asked.pid) if asked is not None else ""
            still = still + 1 if left > PATIENCE and now == before != "" else 0
            before = now
            self._left[program.name] = asked, 0 if still >= STILL_PATIENCE else left
            time.sleep(PAUSE)


def _run_so_far(pid: int) -> str:
    """Return what changes whenever the process runs; "" where it waits for a turn or for a disk.

    A slow start on a busy machine is one of these; a program that is stopped, or whose threads wait
    for each other, is neither.
    """
    try:
        threads = sorted(Path(f"/proc/{pid}/task").iterdir())
        states = [(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in threads]
        ran = [(thread / "schedstat").read_text() for thread in threads]
    except (OSError, IndexError):  # It has ended, or this system tells nothing of the kind.
        return ""
    return "" if {"R", "D"} & set(states) else " ".join(ran)


def ask_for_last_words(program: Watchable) -> None:
    """Let a hung program write its stacks, also where it was stopped, and end in order."""
    process = program.process
    assert process is not None
    process.send_signal(program.last_words)
    process.send_signal(signal.SIGCONT)
    with suppress(TimeoutExpired):
        process.wait(LAST_WORDS_SECONDS)
