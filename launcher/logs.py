"""Logs that never fill the disk: what is too large is put aside, also while it is written to."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from launcher.locations import Locations

LARGEST = 5_000_000  # bytes
LOOK_SECONDS = 10


def put_aside(places: Locations) -> None:
    """Keep the end of each large log as `.log.1`, in place of the one before, and empty it.

    Programs append to their log, so they go on in the empty file. What they write in the moment
    between is lost, and where the disk is full all of it: room counts more.
    """
    for log in places.logs.glob("*.log"):
        with suppress(OSError):
            if log.stat().st_size > LARGEST:
                with suppress(OSError):
                    _copy_end(log, log.with_suffix(".log.1"))
                os.truncate(log, 0)


def _copy_end(log: Path, target: Path) -> None:
    with log.open("rb") as source:
        source.seek(-LARGEST, os.SEEK_END)
        target.write_bytes(source.read(LARGEST))


class LogKeeper:
    """Looks at the size of the logs now and then."""

    def __init__(self, places: Locations) -> None:
        self._places = places
        self._next = 0.0

    def look(self) -> None:
        """Put large logs aside if it is time to look."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + LOOK_SECONDS
            put_aside(self._places)
