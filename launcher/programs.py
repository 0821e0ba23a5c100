"""The programs of one installation besides its database and broker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from launcher import network, roles
from launcher.children import kill_group, spawn
from launcher.locations import ROOT, Locations

QUIET_WORKER = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=INFO")
MOST_SIMULATIONS = 8
PULSE_SECONDS = 6


@dataclass
class Part:
    """A program that the supervisor keeps running."""

    name: str
    command: list[str]
    places: Locations
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 5
    nice: int = 0
    port: int = 0
    """The port of its HTTP health check; a program without one touches a pulse file."""
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
        if not self.port:  # The previous process's pulse must not count for this one.
            self._pulse.unlink(missing_ok=True)
        command = [sys.executable, "-m", *self.command]
        role = roles.BEAT if self.name == "beat" else roles.APPLICATION
        environment = os.environ | {"PYTHONFAULTHANDLER": "1", roles.VARIABLE: role}
        self.process = spawn(command, log=self.log, cwd=ROOT, nice=self.nice, env=environment)

    def answers(self) -> bool:
        """Return whether the program responds, or has touched its pulse file recently."""
        if self.port:
            return network.answers(self.port, "/health/", seconds=2)
        try:
            return time.time() - self._pulse.stat().st_mtime < PULSE_SECONDS
        except OSError:
            return False

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


def parts(places: Locations, *, host: str, port: int) -> list[Part]:
    """Return the programs: the web server first, then the workers and Celery beat."""
    simulations = min(os.cpu_count() or 1, MOST_SIMULATIONS)
    return [
        Part("web", _web(host, port), places, port=port),
        worker_part("worker", "live,default", 2, places),
        # Bots' games and long jobs use idle time and yield to people's requests.
        worker_part("simulations", "sim,slow", simulations, places, nice=10),
        # What an author waits for, such as a hundred games of pasted code, never waits for them.
        worker_part("quick", "quick", 1, places, nice=5),
        Part("beat", ["celery", "-A", "config", "beat", "--loglevel=INFO", "--pidfile="], places),
    ]


def _web(host: str, port: int) -> list[str]:
    return [
        "uvicorn",
        "config.asgi:application",
        f"--host={host}",
        f"--port={port}",
        "--http=config.connections:BoundedHttp",
        "--no-access-log",
        "--no-server-header",
        "--no-proxy-headers",  # Django trusts them according to TRUSTED_PROXIES.
        "--timeout-graceful-shutdown=2",  # Live pages keep their connection open for hours.
    ]


def worker_part(
    name: str, queues: str, processes: int, places: Locations, *, nice: int = 0
) -> Part:
    command = ["celery", "-A", "config", "worker", f"--queues={queues}", f"--hostname={name}@%h"]
    command += [f"--concurrency={processes}", *QUIET_WORKER]
    # SIGQUIT hands unfinished tasks back; SIGTERM would wait for them.
    return Part(name, command, places, stop_signal=signal.SIGQUIT, nice=nice)
