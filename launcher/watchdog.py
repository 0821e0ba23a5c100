"""Notices programs that run and answer no more: stopped, deadlocked or in an endless loop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from subprocess import Popen, TimeoutExpired
from typing import Protocol

PAUSE = 1.0  # Seconds between two questions.
PATIENCE = 4  # Questions without an answer, of which each may take two seconds.
START_PATIENCE = 90  # Before the first answer of a program that starts.
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
        asked, left = None, START_PATIENCE
        while True:
            if program.process is not asked:
                asked, left = program.process, START_PATIENCE
            left = PATIENCE if program.answers() else left - 1
            self._left[program.name] = asked, left
            time.sleep(PAUSE)


def ask_for_last_words(program: Watchable) -> None:
    """Let a hung program write its stacks, also where it was stopped, and end in order."""
    process = program.process
    assert process is not None
    process.send_signal(program.last_words)
    process.send_signal(signal.SIGCONT)
    with suppress(TimeoutExpired):
        process.wait(LAST_WORDS_SECONDS)
