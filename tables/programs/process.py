"""A child process that answers JSON lines, bounded in time, memory and output."""

import contextlib
import json
import os
import selectors
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.sim.faults import CRASHED, PROTOCOL, SLOW, BotFault, OurFault
from tables.programs.jail import view
from tables.programs.jail.door import JailError, door, jail_tier
from tables.programs.jail.job import TRUSTED, Job

START_SECONDS = 10.0
MOST_LINE = 4096
MOST_LOG = 1_000_000
KEPT_LOG = 800
_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Limits:
    """Limits of one process: seconds per answer, processor seconds, megabytes."""

    seconds: float = 1.0
    cpu_seconds: int = 60
    memory_mb: int = 512


class Process:
    """A running program without a shell, in its own session, without our environment.

    It is jailed as strictly as this system allows, or not started; `trusted` ones only have limits.
    `read` lists what it may see besides its folder. It is not started if it would see a `hidden`
    path. It can write no file and leave no core dump, and ends with the worker.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        folder: Path,
        limits: Limits,
        *,
        trusted: bool = False,
        read: tuple[Path, ...] = (),
        hidden: tuple[Path, ...] = (),
        tier: str | None = None,
    ) -> None:
        self._limits = limits
        self._out = bytearray()
        self._in = bytearray()
        self._log = bytearray()
        self._logged = 0
        self._asked = False
        theirs, self._stdin = os.pipe()
        self._stdout, their_stdout = os.pipe()
        self._stderr, their_stderr = os.pipe()
        self._waiting = selectors.DefaultSelector()
        try:
            tier = TRUSTED if trusted else tier or jail_tier()
            job = _job(command, folder, limits, tier, read, hidden)
            self._program = door().start(job, theirs, their_stdout, their_stderr)
        except (OSError, JailError) as error:
            self._close()
            raise OurFault(f"{command[0]} cannot be started: {error}") from error
        finally:
            for pipe in (theirs, their_stdout, their_stderr):
                os.close(pipe)
        for pipe, take in ((self._stdout, self._hear), (self._stderr, self._note)):
            os.set_blocking(pipe, False)
            self._waiting.register(pipe, selectors.EVENT_READ, take)
        os.set_blocking(self._stdin, False)

    def tell(self, message: dict[str, Any]) -> None:
        """Queue a message without an answer; it is sent with the next question."""
        self._out += json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def ask(self, message: dict[str, Any], *, seconds: float | None = None) -> dict[str, Any]:
        """Return the answer to a message; raise `BotFault` if it is wrong, late or missing.

        A program may send its first answer before the first question, so that a race at the start
        decides nothing.
        """
        if self._asked:
            for key, _ in self._waiting.select(0):
                key.data()
            if self._in:
                raise BotFault(PROTOCOL, f"It wrote without being asked: {_shown(self._in)}")
        self._asked = True
        self.tell(message)
        allowed = self._limits.seconds if seconds is None else seconds
        return _answer(self._line(allowed))

    def stop(self) -> None:
        """End the process and all its children, and release its resources."""
        self._program.end()
        self._close()

    def _close(self) -> None:
        self._waiting.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.close(pipe)

    def _line(self, allowed: float) -> bytes:
        """Return the next line; time without a processor does not count against the limit."""
        writing, began, waited = False, time.monotonic(), self._program.waited()
        deadline = began + allowed
        while b"\n" not in self._in:
            if self._out and not writing:
                self._waiting.register(self._stdin, selectors.EVENT_WRITE, self._send)
                writing = True
            left = deadline - time.monotonic()
            # Reads once more after the deadline: a line already there was not late.
            for key, _ in self._waiting.select(max(left, 0)):
                key.data()
            if left <= 0 and b"\n" not in self._in:
                deadline = began + allowed + self._program.waited() - waited
                if deadline <= time.monotonic():
                    late = f"It gave no answer within {allowed:g} s.{self._last_words()}"
                    raise BotFault(SLOW, late)
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
            sent = os.write(self._stdin, self._out)
        except BlockingIOError:
            return
        except OSError:  # It closed its input; its last output tells why.
            sent = len(self._out)
        del self._out[:sent]

    def _hear(self) -> None:
        found = os.read(self._stdout, 65536)
        if not found:
            raise self._gone()
        self._in += found
        if len(self._in) > MOST_LINE:
            raise BotFault(PROTOCOL, f"Its answer is longer than {MOST_LINE} bytes.")

    def _note(self) -> None:
        found = os.read(self._stderr, 65536)
        if not found:
            self._waiting.unregister(self._stderr)
            return
        self._logged += len(found)
        self._log = (self._log + found)[-KEPT_LOG:]
        if self._logged > MOST_LOG:
            raise BotFault(PROTOCOL, f"It wrote more than {MOST_LOG} bytes to standard error.")

    def _gone(self) -> BotFault:
        """Return the fault of a process that ended before its answer."""
        status = self._program.status(1.0)
        if status is None:
            return BotFault(PROTOCOL, "It closed its standard output.")
        with contextlib.suppress(OSError, BlockingIOError):
            self._log += os.read(self._stderr, 65536)
        if self._program.over_memory:
            text = f"It held more than {self._limits.memory_mb} MB of memory."
            return BotFault(CRASHED, text + self._last_words())
        if status == -signal.SIGXCPU:
            text = f"It used more than {self._limits.cpu_seconds} s of processor time."
            return BotFault(SLOW, text + self._last_words())
        how = f"signal {signal_name(-status)}" if status < 0 else f"exit status {status}"
        return BotFault(CRASHED, f"It ended with {how} before its answer.{self._last_words()}")

    def _last_words(self) -> str:
        return f" Its standard error: {_shown(self._log)}" if self._log else ""


def signal_name(number: int) -> str:
    """Return the signal's name, or its number if it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def shown(answer: dict[str, Any]) -> str:
    """Return the beginning of an answer for its verdict."""
    try:
        return str(answer)[:300]
    except RecursionError:
        return "too many brackets in each other."


def _answer(line: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise BotFault(PROTOCOL, f"Its answer is not JSON: {_shown(line)}") from None
    if not isinstance(answer, dict):
        raise BotFault(PROTOCOL, f"Its answer is not a JSON object: {_shown(line)}")
    return answer


def _shown(text: bytes | bytearray) -> str:
    return bytes(text[-KEPT_LOG:]).decode(errors="replace").replace("\0", "�").strip()


def _job(
    command: tuple[str, ...],
    folder: Path,
    limits: Limits,
    tier: str,
    read: tuple[Path, ...],
    hidden: tuple[Path, ...],
) -> Job:
    """Return the job to start; raise `OSError` if the program is missing or sees hidden data."""
    path = os.environ.get("PATH", os.defpath)
    program = view.program_at(command[0], folder, path)
    return Job(
        tier,
        (program, *command[1:]),
        str(folder),
        () if tier == TRUSTED else tuple(view.shown(program, folder, read, hidden)),
        path if tier == TRUSTED else _PATH,
        limits.cpu_seconds,
        limits.memory_mb,
    )
