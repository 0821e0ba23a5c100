"""A supervisor that keeps programs running until it is asked to stop."""

import json
import signal
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from launcher.children import tail
from launcher.errors import LaunchError
from launcher.output import tell
from launcher.watchdog import Watchable, Watchdog, ask_for_last_words

POLL_SECONDS = 0.25
NOTES, NOTED_SECONDS = "restarts.json", 3600
MOST_RESTARTS, WITHIN_SECONDS = 5, 60
FULL_SECONDS = 2  # Between two tries while the disk is full.


class Supervised(Watchable, Protocol):
    @property
    def log(self) -> Path: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class Stopped(Exception):
    """A request to stop: Ctrl-C, SIGTERM or a closed terminal."""


class StopSignal:
    """A flag set by the first request to stop; a second Ctrl-C raises KeyboardInterrupt."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self.again = False
        """Whether the server is to start once more after the stop, as an upgrade does."""

    @contextmanager
    def installed(self) -> Iterator[None]:
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
        before = {number: signal.signal(number, self._ask) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _ask(self, number: int, frame: object) -> None:
        if self._asked.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.again = number == signal.SIGUSR1
        self._asked.set()

    def pause(self, seconds: float) -> None:
        """Wait; raise Stopped as soon as a stop is requested."""
        if self._asked.wait(seconds):
            raise Stopped


def keep_running(
    programs: Sequence[Supervised],
    stop: StopSignal,
    has_room: Callable[[], bool] = lambda: True,
    watchdog: Watchdog | None = None,
    looks: Sequence[Callable[[], None]] = (),
) -> None:
    """Restart programs that end or hang, until Stopped; raise LaunchError if one keeps ending.

    While `has_room` returns False, restarts are retried instead. `looks` are periodic checks; each
    returns at once.
    """
    ends: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=MOST_RESTARTS))
    next_try: dict[str, float] = {}
    while True:
        stop.pause(POLL_SECONDS)
        for look in looks:
            look()
        for program in programs:
            now = time.monotonic()
            if program.name in next_try:
                if now < next_try[program.name]:
                    continue
            elif program.process is None:
                continue
            elif program.process.poll() is None:
                if watchdog is None or not watchdog.is_hung(program):
                    continue
                tell(
                    f"The {program.name} answers no more and is started again; "
                    f"where it was is in {program.log}."
                )
                ask_for_last_words(program)
            else:
                status = program.process.returncode
                tell(f"The {program.name} ended (status {status}) and is started again.")
            try:
                _start_again(program, ends[program.name], now)
            except LaunchError:
                if has_room():
                    raise
                if program.name not in next_try:
                    tell(f"The disk is full: the {program.name} starts as soon as there is room.")
                next_try[program.name] = now + FULL_SECONDS
                ends[program.name].clear()
            else:
                next_try.pop(program.name, None)


def _start_again(program: Supervised, recent: deque[float], now: float) -> None:
    if len(recent) == MOST_RESTARTS and now - recent[0] < WITHIN_SECONDS:
        raise LaunchError(
            f"The {program.name} keeps ending; {program.log} ends with: {tail(program.log)}"
        )
    recent.append(now)
    _note(program)
    program.stop()
    program.start()


def _note(program: Supervised) -> None:
    """Write down a restart, which an alarm counts; starting again matters more."""
    with suppress(OSError):
        logs = program.log.parent
        times = noted(logs)
        times.setdefault(program.name, []).append(time.time())
        (logs / NOTES).write_text(json.dumps(times))


def noted(logs: Path) -> dict[str, list[float]]:
    """Return when the supervisor started each part again within the last hour."""
    try:
        known = json.loads((logs / NOTES).read_text())
    except (OSError, ValueError):
        return {}
    since = time.time() - NOTED_SECONDS
    return {name: [at for at in times if at > since] for name, times in known.items()}
