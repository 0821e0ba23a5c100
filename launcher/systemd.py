"""Messages to systemd of a unit with `Type=notify`: that the server is up, and that it lives.

sd_notify(3) has the protocol: one datagram a message to the socket in NOTIFY_SOCKET.
"""

import os
import socket
import time
from contextlib import suppress

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
