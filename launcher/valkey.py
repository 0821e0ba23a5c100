"""The embedded Valkey: Celery's broker and the cache, on a unix socket, in memory only.

It never holds the only copy: jobs, clocks and games are rows in PostgreSQL, and sweeps enqueue
again the jobs that a stop lost. So it writes nothing to disk.
"""

import signal
import subprocess

from launcher import network
from launcher.binaries import valkey_program
from launcher.children import spawn, starts, stop, tail
from launcher.errors import LaunchError
from launcher.locations import Locations, private_folder

START_SECONDS = 15


class Valkey:
    """One server process for one data folder. The caller holds the folder's lock."""

    name = "Valkey"
    last_words = signal.SIGTERM

    def __init__(self, places: Locations) -> None:
        self.places = places
        self.log = places.logs / "valkey.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and return when it answers."""
        private_folder(self.places.sockets)
        private_folder(self.places.logs)
        self.places.valkey_socket.unlink(missing_ok=True)
        options = {
            "--port": "0",
            "--unixsocket": str(self.places.valkey_socket),
            "--unixsocketperm": "700",
            "--dir": str(self.places.sockets),
            "--save": "",
            "--appendonly": "no",
            "--maxmemory-policy": "noeviction",  # A broker must refuse rather than forget.
            "--databases": "16",  # The product uses one; each test process has its own.
        }
        arguments = [part for option in options.items() for part in option]
        # Killed with this process: a clean shutdown would remove its successor's socket.
        self.process = spawn([valkey_program(), *arguments], log=self.log)
        if not starts(self.process, self.answers, seconds=START_SECONDS):
            self.stop()
            raise LaunchError(f"Valkey does not start; {self.log} ends with: {tail(self.log)}")

    def answers(self) -> bool:
        """Return whether this folder's server answers, even if another process started it."""
        said = network.answer_of(self.places.valkey_socket, b"PING\r\n", seconds=1)
        return said.startswith(b"+PONG")

    def stop(self) -> None:
        """Stop the server; its data is lost."""
        if self.process is not None:
            stop(self.process, (signal.SIGTERM, 3))
            self.process = None
