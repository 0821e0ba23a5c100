"""Locks of a data folder: one owner runs the servers, guests keep them from stopping."""

import fcntl
import json
import os
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from launcher.errors import LaunchError
from launcher.locations import Locations


class DataLock:
    """The exclusive lock for servers on a data folder; the kernel frees it with the process."""

    def __init__(self, places: Locations) -> None:
        self.places = places
        self._handle: int | None = None

    def acquire(self, what: str) -> bool:
        """Try to take the lock; return whether it worked. `what` names this process to others."""
        handle = os.open(self.places.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        os.ftruncate(handle, 0)
        os.write(handle, json.dumps({"pid": os.getpid(), "what": what}).encode())
        self._handle = handle
        return True

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def ask_to_start_again(places: Locations) -> str:
    """Make the server on this folder start again with the code that is there now.

    Return who it is; raise LaunchError if none runs.
    """
    lock = DataLock(places)
    if not places.lock.exists() or lock.acquire("a question"):
        lock.release()
        raise LaunchError(f"No server runs on {places.data}: start it without --again.")
    os.kill(json.loads(places.lock.read_text())["pid"], signal.SIGUSR1)
    return holder(places)


def holder(places: Locations) -> str:
    """Return who holds the lock, as `script/server at http://... (process 123)`."""
    try:
        note = json.loads(places.lock.read_text())
        return f"{note['what']} (process {note['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def as_guest(places: Locations) -> AbstractContextManager[None]:
    """Hold a shared lock on the running servers, so that their owner waits before stopping them."""
    return _flock(places.guests, fcntl.LOCK_SH)


def without_guests(places: Locations) -> AbstractContextManager[None]:
    """Wait until the last guest has left, and keep new ones out."""
    return _flock(places.guests, fcntl.LOCK_EX)


@contextmanager
def _flock(path: Path, kind: int) -> Iterator[None]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, kind)
        yield
    finally:
        os.close(handle)
