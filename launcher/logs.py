"""Log rotation, also while programs write to their logs, so that logs never fill the disk."""

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from launcher.locations import Locations

LARGEST = 5_000_000  # bytes
DAYS = 14
_BEGINS = re.compile(
    r'(?:\{"time": ")?(?P<day>[\d-]{10})[ T][\d:.,+]+"?,? (?:"level": ")?(?P<level>[A-Z]+)'
)
"""How an entry begins, as a line or as JSON."""
LOOK_SECONDS = 10


def put_aside(places: Locations) -> None:
    """Copy the end of each large log to `.log.1`, replacing the previous one, and truncate it.

    Warnings and errors of the replaced one go to `warnings.txt`, which keeps the last `DAYS` days.
    Programs append to their log, so they continue in the empty file. Lines written between the two
    steps are lost. On a full disk the whole log is lost: free space matters more.
    """
    for log in places.logs.glob("*.log"):
        with suppress(OSError):
            if log.stat().st_size > LARGEST:
                with suppress(OSError), log.open("rb") as source:
                    before = log.with_suffix(".log.1")
                    if before.exists():
                        _keep_warnings(places.logs / "warnings.txt", before)
                    source.seek(-LARGEST, os.SEEK_END)
                    before.write_bytes(source.read(LARGEST))
                os.truncate(log, 0)


def _keep_warnings(kept: Path, log: Path) -> None:
    """Append the warnings of a log, each with the lines that belong to it."""
    oldest = f"{datetime.now(UTC) - timedelta(days=DAYS):%Y-%m-%d}"
    recent = _entries(kept, lambda day, _level: day >= oldest) if kept.exists() else ""
    text = recent + _entries(log, lambda _day, level: level in ("WARNING", "ERROR", "CRITICAL"))
    kept.write_bytes(text.encode()[-LARGEST:])


def _entries(log: Path, is_wanted: Callable[[str, str], bool]) -> str:
    found, wanted = [], False
    for line in log.read_text("utf-8", "replace").splitlines(keepends=True):
        if begins := _BEGINS.match(line):
            wanted = is_wanted(begins["day"], begins["level"])
        if wanted:
            found.append(line)
    return "".join(found)


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
