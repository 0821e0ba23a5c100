"""A child process that answers JSON lines, bounded in time, memory and output."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from engine.faults import CRASHED, PROTOCOL, SLOW, BotFault, OurFault

START_SECONDS = 10.0
MOST_LINE = 4096
MOST_LOG = 1_000_000
KEPT_LOG = 800
_OPEN_FILES = 256
_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)  # Loaded before any fork: the child only calls it.


@dataclass(frozen=True)
class Limits:
    """What one process may use: seconds for an answer, processor seconds, megabytes."""

    seconds: float = 1.0
    cpu_seconds: int = 60
    memory_mb: int = 512


class Process:
    """A program that was started: no shell, a session of its own, nothing of our environment.

    It may write no file and leave no core; the kernel ends it with the worker.
    """

    def __init__(self, command: tuple[str, ...], folder: Path, limits: Limits) -> None:
        self._limits = limits
        self._out = bytearray()
        self._in = bytearray()
        self._log = bytearray()
        self._logged = 0
        parent = os.getpid()
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=_environment(),
                start_new_session=True,
                preexec_fn=lambda: _restrict(limits, parent),
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise OurFault(f"{command[0]} cannot be started: {error}") from error
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._stdin, self._stdout, self._stderr = cast("tuple[IO[bytes], ...]", pipes)
        self._waiting = selectors.DefaultSelector()
        for pipe, take in ((self._stdout, self._hear), (self._stderr, self._note)):
            os.set_blocking(pipe.fileno(), False)
            self._waiting.register(pipe, selectors.EVENT_READ, take)
        os.set_blocking(self._stdin.fileno(), False)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that wants no answer, with the next that does."""
        self._out += json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def ask(self, message: dict[str, Any], *, seconds: float | None = None) -> dict[str, Any]:
        """Return the answer to a message; raises BotFault where it is wrong, late or missing."""
        for key, _ in self._waiting.select(0):
            key.data()
        if self._in:
            raise BotFault(PROTOCOL, f"It wrote without being asked: {_shown(self._in)}")
        self.tell(message)
        allowed = self._limits.seconds if seconds is None else seconds
        return _answer(self._line(time.monotonic() + allowed, allowed))

    def stop(self) -> None:
        """End the process and whatever it started, and take back what it held."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._waiting.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                pipe.close()

    def _line(self, deadline: float, allowed: float) -> bytes:
        writing = False
        while b"\n" not in self._in:
            if self._out and not writing:
                self._waiting.register(self._stdin, selectors.EVENT_WRITE, self._send)
                writing = True
            left = deadline - time.monotonic()
            ready = self._waiting.select(left) if left > 0 else []
            if not ready and left <= 0:
                raise BotFault(SLOW, f"It gave no answer within {allowed:g} s.{self._last_words()}")
            for key, _ in ready:
                key.data()
            if writing and not self._out:
                self._waiting.unregister(self._stdin)
                writing = False
        if writing:
            self._waiting.unregister(self._stdin)
        line, _, rest = bytes(self._in).partition(b"\n")
        self._in = bytearray(rest)
        return line

    def _send(self) -> None:
        try:
            sent = os.write(self._stdin.fileno(), self._out)
        except BlockingIOError:
            return
        except OSError:  # It does not listen any more: what it says last tells why.
            sent = len(self._out)
        del self._out[:sent]

    def _hear(self) -> None:
        found = os.read(self._stdout.fileno(), 65536)
        if not found:
            raise self._gone()
        self._in += found
        if len(self._in) > MOST_LINE:
            raise BotFault(PROTOCOL, f"Its answer is longer than {MOST_LINE} bytes.")

    def _note(self) -> None:
        found = os.read(self._stderr.fileno(), 65536)
        if not found:
            self._waiting.unregister(self._stderr)
            return
        self._logged += len(found)
        self._log = (self._log + found)[-KEPT_LOG:]
        if self._logged > MOST_LOG:
            raise BotFault(PROTOCOL, f"It wrote more than {MOST_LOG} bytes to standard error.")

    def _gone(self) -> BotFault:
        """What to call an end before the answer."""
        try:
            status = self._child.wait(1.0)
        except subprocess.TimeoutExpired:
            return BotFault(PROTOCOL, "It closed its standard output.")
        with contextlib.suppress(OSError, BlockingIOError):
            self._log += os.read(self._stderr.fileno(), 65536)
        if status == -signal.SIGXCPU:
            text = f"It used more than {self._limits.cpu_seconds} s of processor time."
            return BotFault(SLOW, text + self._last_words())
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        return BotFault(CRASHED, f"It ended with {how} before its answer.{self._last_words()}")

    def _last_words(self) -> str:
        return f" Its standard error: {_shown(self._log)}" if self._log else ""


def _answer(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise BotFault(PROTOCOL, f"Its answer is not JSON: {_shown(line)}") from None
    if not isinstance(answer, dict):
        raise BotFault(PROTOCOL, f"Its answer is no JSON object: {_shown(line)}")
    return answer


def _shown(text: bytes | bytearray) -> str:
    return bytes(text[-KEPT_LOG:]).decode(errors="replace").replace("\0", "�").strip()


def _environment() -> dict[str, str]:
    """No secret of ours: where programs are found, and what keeps them from writing files."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _restrict(limits: Limits, parent: int) -> None:
    """In the child, before the program: what the kernel holds it to."""
    memory = limits.memory_mb * 1_000_000
    for what, soft, hard in (
        (resource.RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1),
        (resource.RLIMIT_DATA, memory, memory),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES, _OPEN_FILES),
    ):
        resource.setrlimit(what, (soft, hard))
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:  # It ended between the fork and the request.
            os.kill(os.getpid(), signal.SIGKILL)
