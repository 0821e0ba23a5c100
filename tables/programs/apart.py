"""Games in a process of their own, where bots play that could end the process they are asked in.

A trusted class is asked inside of a worker. One that calls ``os._exit``, or that the system kills,
would take the worker along, and nobody could say which bot it was. So a child plays, and writes
down whom it asks; where it dies, the games are played again up to that question, which is then
the bot's fault. The same games follow on every machine.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import pickle
import select
import signal
import struct
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine import bots as engine_bots
from engine.rules.ruleset import Ruleset
from engine.sim import simulation
from engine.sim.faults import CRASHED, SLOW, BotFault, Conditions, OurFault
from tables.programs.own_seconds import waited, waited_here
from tables.programs.process import signal_name
from tables.programs.watch import MOST_SECONDS, watch

T = TypeVar("T")
Guard = Callable[[str], AbstractContextManager[object]]
Alive = Callable[[], object]
MOST_DEATHS = 3
"""A bot that ended its process so often is not asked again in these games."""
GRACE = 5.0
"""Seconds beyond those of a decision, after which even a bot that lets nothing stop it is."""
_POLL = 0.2
_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""What others send as well: only the bot's fault where it comes twice at the same question."""
_PR_SET_PDEATHSIG = 1


@dataclass
class _Deaths:
    """What ended the child so far: the faults by question, and the bots that are asked no more."""

    faults: dict[int, tuple[str, str]] = field(default_factory=dict)
    of: Counter[str] = field(default_factory=Counter)
    gone: dict[str, tuple[int, str]] = field(default_factory=dict)
    killed: Counter[int] = field(default_factory=Counter)

    def add(self, question: int, name: str, kind: str, text: str) -> None:
        self.faults[question] = kind, text
        self.of[name] += 1
        if self.of[name] >= MOST_DEATHS:
            self.gone[name] = question, kind

    def check(self, question: int, name: str) -> None:
        """Raise the fault that this question turned out to be."""
        if question in self.faults:
            raise BotFault(*self.faults[question])
        last, kind = self.gone.get(name, (question, CRASHED))
        if question > last:
            raise BotFault(kind, f"It did so {MOST_DEATHS} times, and is not asked any more.")


def play_block(ruleset: Ruleset, bots: Sequence[str], *rest: Any) -> simulation.Block:
    """Play a block as `engine.sim.simulation.play_block` does, watched and apart where need be."""
    return play_apart(
        bots,
        lambda guard, _alive: simulation.play_block(
            ruleset, bots, *rest, conditions=Conditions(guard=guard)
        ),
    )


def play_apart(
    bots: Sequence[str], play: Callable[[Guard, Alive], T], alive: Alive = lambda: None
) -> T:
    """Return what `play` returns, in a child where a class plays that is not of the ladder.

    `play` gets the guard of its questions, and what to call after each game. `alive` is called
    in this process whenever something happened. A program has its own limits, and no other clock.
    """
    if all(name in engine_bots.LADDER or engine_bots.is_outside(name) for name in bots):
        return play(lambda _name: _noted(alive), alive)
    deaths = _Deaths()
    while True:
        child = _Child(play, deaths)
        found = child.result(alive)
        if found is not None:
            return pickle.loads(found)()  # type: ignore[no-any-return]
        _judge(child, deaths)


@contextmanager
def _noted(alive: Alive) -> Iterator[None]:
    """Say that someone is asked."""
    alive()
    yield


def _judge(child: _Child, deaths: _Deaths) -> None:
    """Add the fault of a child that died; raises OurFault where it was no bot's."""
    asked, question, name = child.last_asked()
    words = child.death()
    if not asked:
        raise OurFault(f"The process of these games was lost between two questions: {words}")
    if child.number in _OTHERS and not child.hung:
        deaths.killed[question] += 1
        if deaths.killed[question] < 2:
            if deaths.killed.total() > 2:
                raise OurFault(f"The process of these games was killed, last asking {name}.")
            return
        deaths.killed.clear()
    kind = SLOW if child.hung else CRASHED
    deaths.add(question, name, kind, words)


class _Child:
    """A process that plays; what it was asking is in memory that both see."""

    _LAYOUT = struct.Struct("<?QQ30s")

    def __init__(self, play: Callable[[Guard, Alive], Any], deaths: _Deaths) -> None:
        self._seen = mmap.mmap(-1, mmap.PAGESIZE)
        self._status, self.hung = 0, False
        self._reader, writer = os.pipe()
        parent = os.getpid()
        self._pid = os.fork()
        if not self._pid:
            os.close(self._reader)
            self._play(play, deaths, writer, parent)
        os.close(writer)

    @property
    def number(self) -> int:
        """The signal that ended it; 0 where it ended itself."""
        return os.WTERMSIG(self._status) if os.WIFSIGNALED(self._status) else 0

    def death(self) -> str:
        """Return how it ended, in words."""
        if self.hung:
            return f"It thought for more than {MOST_SECONDS:g} s and let nothing stop it."
        if self.number:
            return f"Its process was ended by signal {self.number} ({signal_name(self.number)})."
        return f"It ended its process with status {os.waitstatus_to_exitcode(self._status)}."

    def last_asked(self) -> tuple[bool, int, str]:
        """Return whether a bot was being asked, the number of the question, and the bot's name."""
        asked, question, _tick, name = self._LAYOUT.unpack_from(self._seen)
        return asked, question, name.rstrip(b"\0").decode()

    def result(self, alive: Alive) -> bytes | None:
        """Return what it sent; None where it died before."""
        found, seen, since, status = bytearray(), b"", time.monotonic(), None
        try:
            while status is None:
                if select.select([self._reader], [], [], _POLL)[0]:
                    read = os.read(self._reader, 1 << 20)
                    found += read
                    if not read:  # It has closed its end, and is about to be gone.
                        status = os.waitpid(self._pid, 0)[1]
                        break
                now = self._seen[: self._LAYOUT.size]
                if now != seen:
                    seen, since = now, time.monotonic() - waited(self._pid)
                    alive()
                elif now[0] and time.monotonic() - waited(self._pid) - since > MOST_SECONDS + GRACE:
                    self.hung = True
                    os.kill(self._pid, signal.SIGKILL)
                done, ended = os.waitpid(self._pid, os.WNOHANG)
                if done:  # What it started may hold the pipe open.
                    status = ended
                    os.set_blocking(self._reader, False)
                    with suppress(BlockingIOError):
                        while read := os.read(self._reader, 1 << 20):
                            found += read
            self._status = status
        finally:
            os.close(self._reader)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._pid, signal.SIGKILL)
            if status is None:
                os.kill(self._pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(self._pid, 0)
        return bytes(found) if found and status == 0 and found.endswith(_END) else None

    def _play(
        self, play: Callable[[Guard, Alive], Any], deaths: _Deaths, writer: int, parent: int
    ) -> None:
        """Play, send what came of it, and end; in the child."""
        try:
            faulthandler.disable()  # How it dies is said with the verdict.
            os.setsid()
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            for number in (*_OTHERS[1:], signal.SIGUSR1):  # The last is the worker's soft limit.
                signal.signal(number, signal.SIG_DFL)
            found: Any = _Returned(play(self._guard(deaths), self._tick))
        except BaseException as error:
            error.add_note(traceback.format_exc())
            found = _Raised(error)
        try:
            sent = pickle.dumps(found)
        except Exception:
            sent = pickle.dumps(_Raised(OurFault(traceback.format_exc())))
        with suppress(BaseException):
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(sent + _END)
            os._exit(0)
        os._exit(1)

    def _tick(self) -> None:
        asked, question, ticks, name = self._LAYOUT.unpack_from(self._seen)
        self._LAYOUT.pack_into(self._seen, 0, asked, question, ticks + 1, name)

    def _guard(self, deaths: _Deaths) -> Guard:
        questions = 0

        @contextmanager
        def guard(name: str) -> Iterator[None]:
            nonlocal questions
            questions += 1
            deaths.check(questions, name)
            if engine_bots.is_outside(name):  # Its own limits hold, and its end is not ours.
                self._tick()
                yield
                return
            self._LAYOUT.pack_into(self._seen, 0, True, questions, 0, name.encode()[:30])
            try:
                with watch(lambda: None, MOST_SECONDS, waited_here):
                    yield
            except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
                raised = f"It raised {type(error).__name__}({error}), which ends a process."
                raise BotFault(CRASHED, raised) from error
            finally:
                self._LAYOUT.pack_into(self._seen, 0, False, questions, 0, name.encode()[:30])

        return guard


_END = b"\n.end"
"""What stands behind all that a child has to send."""


@dataclass(frozen=True)
class _Returned:
    value: Any

    def __call__(self) -> Any:
        return self.value


@dataclass(frozen=True)
class _Raised:
    error: BaseException

    def __call__(self) -> Any:
        raise self.error
