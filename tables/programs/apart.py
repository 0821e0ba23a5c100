"""Games in a child process, for bots that could end the process that runs them.

A trusted class runs inside a worker. A class that calls ``os._exit``, or that the system kills,
would end the worker, and nobody could tell which bot it was. So a child plays and records whom it
asks. If the child dies, the games are replayed up to that question, which then counts as the bot's
fault. The same games follow on every machine.
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
"""Times a bot may end its process before it is not asked again in these games."""
GRACE = 5.0
"""Seconds after a decision's limit when even a bot that blocks every interrupt is killed."""
_POLL = 0.2
_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that others send too: the bot's fault only if repeated at the same question."""
_PR_SET_PDEATHSIG = 1


@dataclass
class _Deaths:
    """The deaths of the child so far: faults by question, and bots that are no longer asked."""

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
        """Raise the fault recorded for this question, or that of a bot that is no longer asked."""
        if question in self.faults:
            raise BotFault(*self.faults[question])
        last, kind = self.gone.get(name, (question, CRASHED))
        if question > last:
            raise BotFault(kind, f"It did so {MOST_DEATHS} times, and is not asked any more.")


def play_block(ruleset: Ruleset, bots: Sequence[str], *rest: Any) -> simulation.Block:
    """Play a block like `engine.sim.simulation.play_block`, guarded and in a child where needed."""
    return play_apart(
        bots,
        lambda guard, _alive: simulation.play_block(
            ruleset, bots, *rest, conditions=Conditions(guard=guard)
        ),
    )


def play_apart(
    bots: Sequence[str], play: Callable[[Guard, Alive], T], alive: Alive = lambda: None
) -> T:
    """Return the result of `play`, run in a child if a class outside the ladder plays.

    `play` gets the guard of its questions, and a callback for after each game. `alive` is called in
    this process at every sign of progress. External programs have their own limits and need no
    child.
    """
    if all(name in engine_bots.LADDER or engine_bots.is_outside(name) for name in bots):
        return play(lambda _name: _noted(alive), alive)
    deaths = _Deaths()
    while True:
        child = _Child(play, deaths)
        found = child.result(alive)
        if found is not None:
            value, error = pickle.loads(found)
            if error is not None:
                raise error
            return value  # type: ignore[no-any-return]
        _judge(child, deaths)


@contextmanager
def _noted(alive: Alive) -> Iterator[None]:
    """Report progress before a question."""
    alive()
    yield


def _judge(child: _Child, deaths: _Deaths) -> None:
    """Record the fault of a dead child; raise `OurFault` if no bot caused its death."""
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
    """A process that plays; shared memory holds its current question."""

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
        """Return the signal that ended it, or 0 if it exited itself."""
        return os.WTERMSIG(self._status) if os.WIFSIGNALED(self._status) else 0

    def death(self) -> str:
        """Return the cause of its end as text."""
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
        """Return its result, or `None` if it died first."""
        found, seen, since, status = bytearray(), b"", time.monotonic(), None
        try:
            while status is None:
                if select.select([self._reader], [], [], _POLL)[0]:
                    read = os.read(self._reader, 1 << 20)
                    found += read
                    if not read:  # End of file: the child is about to exit.
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
                if done:  # Its own children may hold the pipe open.
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
        """Run `play` in the child, send the result, and exit."""
        try:
            faulthandler.disable()  # The verdict reports how it dies.
            os.setsid()
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(1)
            for number in (*_OTHERS[1:], signal.SIGUSR1):  # SIGUSR1 is the worker's soft limit.
                signal.signal(number, signal.SIG_DFL)
            found: tuple[Any, BaseException | None] = play(self._guard(deaths), self._tick), None
        except BaseException as error:
            error.add_note(traceback.format_exc())
            found = None, error
        try:
            sent = pickle.dumps(found)
        except Exception:
            sent = pickle.dumps((None, OurFault(traceback.format_exc())))
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
            if engine_bots.is_outside(name):  # It has its own limits, and its end is not ours.
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
"""Trailer of a child's message, which marks it as complete."""
