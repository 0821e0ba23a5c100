"""The manager of services: messages to it, and the listening socket that it hands over.

sd_notify(3) has the first protocol: one datagram a message to the socket in NOTIFY_SOCKET.
sd_listen_fds(3) has the second, by which a server that starts again hands the socket to itself too.
"""

import os
import socket
import sys
import time
from contextlib import suppress

FIRST = 3
"""The number of the file that is handed over."""
EVERY = 5.0
"""Seconds between two signs of life; the unit's `WatchdogSec=` is several times that."""


def notify(message: str) -> None:
    """Send a message such as `READY=1`; nothing happens outside of systemd."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # An abstract socket.
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(False)  # Who does not listen must not hold the supervisor.
        line.connect(address)
        line.send(message.encode())


def handed_over() -> socket.socket | None:
    """Return the listening socket that this process was started with, if any."""
    if os.environ.pop("LISTEN_PID", "") != str(os.getpid()):
        return None
    line = socket.socket(fileno=FIRST)
    line.setblocking(False)
    line.set_inheritable(False)
    return line


def start_again(line: socket.socket) -> None:
    """Replace this process by a new one of the code that is there now, with the same socket."""
    os.dup2(line.fileno(), FIRST)
    os.set_inheritable(FIRST, True)
    os.environ["LISTEN_PID"] = str(os.getpid())
    os.execv(sys.executable, [sys.executable, *sys.argv])


def is_journal() -> bool:
    """Return whether standard output goes to the journal, which keeps it and has other readers."""
    with suppress(OSError):
        found = os.fstat(1)
        return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
    return False


class LifeSigns:
    """A look of the supervisor that tells systemd that the supervisor itself still looks."""

    def __init__(self) -> None:
        self._next = 0.0

    def look(self) -> None:
        if (now := time.monotonic()) >= self._next:
            self._next = now + EVERY
            notify("WATCHDOG=1")
