"""The programs of one installation besides its database and broker."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from launcher import capacity, roles
from launcher.children import kill_group, spawn
from launcher.errors import LaunchError
from launcher.locations import ROOT, Locations
from launcher.watchdog import is_stopped

QUIET_WORKER = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=INFO")
MOST_SIMULATIONS = 8
MAIL_THREADS = 4
PULSE_SECONDS = 6
ROOMY = 3 << 30
"""Bytes of memory from which a second web process and a worker for `quick` run."""
FIRST_SIMULATION, EACH_SIMULATION = 2 << 30, 256 << 20
"""Bytes of memory that hold one process for bots' games and all else, and each further one."""
MOST_WEB = 32


@dataclass
class Part:
    """A program that the supervisor keeps running."""

    name: str
    command: list[str]
    places: Locations
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 5
    nice: int = 0
    line: socket.socket | None = None
    """The listening socket that it shares."""
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.places.logs / f"{self.name.replace(' ', '-')}.log"

    @property
    def _pulse(self) -> Path:
        return self.places.pulse / self.name

    last_words = signal.SIGABRT
    """Makes Python write the stacks of all threads and exit."""

    def start(self) -> None:
        self._pulse.unlink(missing_ok=True)  # The previous process's must not count for this one.
        command = [sys.executable, "-m", *self.command]
        role = roles.BEAT if self.name == "beat" else roles.APPLICATION
        files = [self.line.fileno()] if self.line else []
        given = {"PYTHONFAULTHANDLER": "1", "TIENLEN_PART": self.name, roles.VARIABLE: role}
        self.process = spawn(
            command, log=self.log, cwd=ROOT, nice=self.nice, env=os.environ | given, files=files
        )

    def answers(self) -> bool:
        """Return whether the program has touched its pulse file recently."""
        try:
            return time.time() - self._pulse.stat().st_mtime < PULSE_SECONDS
        except OSError:
            return False

    def lives(self) -> bool:
        """Return whether the process has not ended, stands not still and gives signs of life."""
        process = self.process
        if process is None or process.poll() is not None:
            return False
        return not is_stopped(process.pid) and self.answers()

    def stop(self) -> None:
        stop_parts([self])


def stop_parts(asked: Sequence[Part]) -> None:
    """Ask all programs to stop, wait for each, and kill the remaining processes."""
    started = time.monotonic()
    for part in asked:
        if part.process is not None and part.process.poll() is None:
            part.process.send_signal(part.stop_signal)
    for part in asked:
        if part.process is not None:
            left = max(0.0, started + part.stop_seconds - time.monotonic())
            with suppress(subprocess.TimeoutExpired):
                part.process.wait(left)
            kill_group(part.process.pid)
            part.process.wait()
            part.process = None


def web_processes() -> int:
    """Return how many processes answer people; raise LaunchError for a count that is none.

    Of two, one goes on alone when the other ends or stands still.
    """
    if not (given := os.environ.get("WEB_PROCESSES", "").strip()):
        return 2 if _is_roomy() else 1
    if not given.isdecimal() or not 1 <= int(given) <= MOST_WEB:
        raise LaunchError(f"WEB_PROCESSES is {given!r}: give a number from 1 to {MOST_WEB}.")
    return int(given)


def _is_roomy() -> bool:
    return capacity.memory() >= ROOMY


def _simulations() -> int:
    fit = 1 + max(0, capacity.memory() - FIRST_SIMULATION) // EACH_SIMULATION
    return min(capacity.processors(), fit, MOST_SIMULATIONS)


def web_part(places: Locations, line: socket.socket, number: int = 1) -> Part:
    name = "web" if number == 1 else f"web {number}"
    return Part(name, _web(line), places, line=line)


def parts(places: Locations, line: socket.socket, *, web: int = 1) -> list[Part]:
    """Return the programs: the web processes first, then the workers and Celery beat."""
    # What an author waits for, such as a hundred games of pasted code, never waits for bots' games,
    # where there is memory for that.
    alone = [worker_part("quick", "quick", 1, places, nice=5)] if _is_roomy() else []
    queues = "sim,slow" if alone else "quick,sim,slow"
    # Online tables never wait for a mail server; without one there is nothing to send.
    has_mail = bool(os.environ.get("EMAIL_URL", "").strip())
    mails = [worker_part("mail", "mail", MAIL_THREADS, places, pool="threads")] if has_mail else []
    return [
        *(web_part(places, line, number + 1) for number in range(web)),
        worker_part("worker", "live,default" if mails else "live,default,mail", 2, places),
        *mails,
        # Bots' games and long jobs use idle time and yield to people's requests.
        worker_part("simulations", queues, _simulations(), places, nice=10),
        *alone,
        Part("beat", ["celery", "-A", "config", "beat", "--loglevel=INFO", "--pidfile="], places),
    ]


def _web(line: socket.socket) -> list[str]:
    return [
        "uvicorn",
        "config.asgi:application",
        f"--fd={line.fileno()}",
        "--http=config.connections:BoundedHttp",
        "--no-access-log",
        "--no-server-header",
        "--no-proxy-headers",  # Django trusts them according to TRUSTED_PROXIES.
        "--timeout-graceful-shutdown=2",  # Live pages keep their connection open for hours.
    ]


def worker_part(
    name: str, queues: str, at_once: int, places: Locations, *, nice: int = 0, pool: str = "prefork"
) -> Part:
    command = ["celery", "-A", "config", "worker", f"--queues={queues}", f"--hostname={name}@%h"]
    command += [f"--pool={pool}", f"--concurrency={at_once}", *QUIET_WORKER]
    # SIGQUIT hands unfinished tasks back; SIGTERM waits for them, as none ends a thread.
    stop = signal.SIGTERM if pool == "threads" else signal.SIGQUIT
    return Part(name, command, places, stop_signal=stop, nice=nice)
