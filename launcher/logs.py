"""Log rotation, also while programs write to their logs, so that logs never fill the disk."""

import os
import time
from contextlib import suppress

from launcher.locations import Locations

LARGEST = 5_000_000  # bytes
LOOK_SECONDS = 10


def put_aside(places: Locations) -> None:
    """Copy the end of each large log to `.log.1`, replacing the previous one, and truncate it.

    Programs append to their log, so they continue in the empty file. Lines written between the two
    steps are lost. On a full disk the whole log is lost: free space matters more.
    """
    for log in places.logs.glob("*.log"):
        with suppress(OSError):
            if log.stat().st_size > LARGEST:
                with suppress(OSError), log.open("rb") as source:
                    source.seek(-LARGEST, os.SEEK_END)
                    log.with_suffix(".log.1").write_bytes(source.read(LARGEST))
                os.truncate(log, 0)


class LogKeeper:
    """A periodic check of the sizes of the logs."""

    def __init__(self, places: Locations) -> None:
        self._places = places
        self._next = 0.0

    def look(self) -> None:
        """Rotate large logs if a check is due."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + LOOK_SECONDS
            put_aside(self._places)
