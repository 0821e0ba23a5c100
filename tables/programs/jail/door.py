"""The worker's side of the jail: starts and ends programs through the doorkeeper."""

import atexit
import logging
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tables.programs.jail.job import TIERS, Job, News
from tables.programs.jail.view import SYSTEM
from tables.programs.own_seconds import waited

log = logging.getLogger(__name__)

_ROOT = Path(__file__).resolve().parents[3]
_ANSWER_SECONDS = 10.0
_END_SECONDS = 5.0
_MOST_BYTES = 1 << 16


class JailError(Exception):
    """Raised if a program cannot be jailed or started."""


class NoAnswerError(JailError):
    """Raised if the doorkeeper does not answer in time; a later try may succeed."""


@dataclass(frozen=True)
class Tier:
    """The kind of jail on this system; without a name there is none, for these reasons."""

    name: str
    reasons: str


class Prisoner:
    """A running program; its holder ends it."""

    def __init__(self, control: socket.socket, process: int) -> None:
        self._control, self._process = control, process
        self._status: int | None = None
        self.over_memory = False

    def waited(self) -> float:
        """Return the seconds it was runnable without a processor."""
        try:
            text = Path(f"/proc/self/fdinfo/{self._process}").read_text()
            [pid] = [line.split()[1] for line in text.splitlines() if line.startswith("Pid:")]
        except (OSError, ValueError, IndexError):
            return 0.0
        return waited(int(pid))

    def status(self, seconds: float) -> int | None:
        """Return its exit status, a signal as a negative number; `None` if it still runs."""
        if self._status is None and (news := _hear(self._control, seconds)):
            self._status, self.over_memory = news.status, news.over_memory
        return self._status

    def end(self) -> None:
        """End it with all its children; wait until nothing is left, but only for `_END_SECONDS`."""
        try:
            self._control.shutdown(socket.SHUT_WR)
            self._control.settimeout(_END_SECONDS)
            while self._control.recv(_MOST_BYTES):
                pass
        except TimeoutError:
            log.error("A program is not gone %g s after its end was asked for.", _END_SECONDS)
        except OSError:
            pass  # Its keeper is gone.
        self._control.close()
        os.close(self._process)


class Door:
    """The doorkeeper of one process; only that process's death or `close` ends it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._doorkeeper = subprocess.Popen(
                [sys.executable, "-S", "-m", __package__, str(theirs.fileno())],
                cwd=_ROOT,
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        ours.settimeout(_ANSWER_SECONDS)
        self._ours = ours
        self._found: Tier | None = None
        self._worker = os.getpid()

    @property
    def is_open(self) -> bool:
        """Return whether the doorkeeper runs and belongs to this process."""
        return self._worker == os.getpid() and self._doorkeeper.poll() is None

    def start(self, job: Job, stdin: int, stdout: int, stderr: int) -> Prisoner:
        """Start a program on these streams; raise `JailError` with a readable message."""
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                fds = [stdin, stdout, stderr, theirs.fileno()]
                socket.send_fds(self._ours, [job.to_bytes()], fds)
            except OSError as error:
                control.close()
                raise NoAnswerError(f"the doorkeeper does not answer: {error}") from error
        control.settimeout(_ANSWER_SECONDS)
        try:
            message, (*processes,), _, _ = socket.recv_fds(control, _MOST_BYTES, 1)
        except OSError:
            message, processes = b"", []
        news = News.from_bytes(message) if message else None
        if news is not None and news.running:
            return Prisoner(control, *processes)
        control.close()
        raise JailError(news.failed) if news else NoAnswerError("the doorkeeper does not answer")

    def tier(self) -> Tier:
        """Return the kind of jail on this system; tried once and cached."""
        if self._found is None:
            self._found = self._try()
        return self._found

    def _try(self) -> Tier:
        reasons = []
        with open(os.devnull, "r+b") as nothing:
            for name in TIERS:
                job = Job(name, (), "/", SYSTEM, "", 10, 512)
                try:
                    self.start(job, *[nothing.fileno()] * 3).end()
                except NoAnswerError:
                    raise
                except JailError as error:
                    reasons.append(f"{name}: {error}")
                else:
                    return Tier(name, "")
        return Tier("", "; ".join(reasons))

    def close(self) -> None:
        """End the doorkeeper, and with it every program."""
        if self._worker == os.getpid():
            with suppress(OSError):
                self._ours.shutdown(socket.SHUT_RDWR)
            try:
                self._doorkeeper.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._doorkeeper.kill()
        self._ours.close()


_lock = threading.Lock()
_door: Door | None = None


def door() -> Door:
    """Return this process's doorkeeper; a forked process gets its own."""
    global _door
    with _lock:
        if _door is None or not _door.is_open:
            _door = Door()
            atexit.register(_door.close)
        return _door


def jail_tier() -> str:
    """Return the jail's kind; raise `JailError` with a readable message if there is none."""
    found = door().tier()
    if not found.name:
        raise JailError(f"this system shuts no program in ({found.reasons}); trusted ones run")
    return found.name


def _hear(control: socket.socket, seconds: float) -> News | None:
    """Return a keeper's message; `None` on a timeout, or if the keeper is gone."""
    control.settimeout(seconds)
    try:
        message = control.recv(_MOST_BYTES)
    except OSError:
        return None
    return News.from_bytes(message) if message else None
