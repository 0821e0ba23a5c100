"""Alarms that need no database and no room on the disk: the supervisor tells them itself.

The server's own look (`config.server.alarms`) keeps alarms as rows. At each look it also writes the
administrators' addresses to the file `FILE`: how old that is says whether it still looks.
"""

import datetime
import shutil
import subprocess
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from launcher import upgrade
from launcher.children import spawn
from launcher.locations import ROOT, Locations

FILE = "receivers.json"
LOOK_SECONDS, MOST_SECONDS = 30, 100
"""Between two looks; for a mail server, which is asked again at the next look."""
LASTS = 2
"""Looks in a row at which something was so before it is told."""
SILENT_SECONDS = 300
NEARLY = 0.25
"""The share of the disk above which no pace is told. One large file is none: both halves count."""
DISK = ("days", "hours", "full")
"""The troubles of a disk, of which the worst so far is told, and then that all is over."""
PACES = {"hours": (600, 3600, 6 * 3600), "days": (12 * 3600, 24 * 3600, 3 * 86400)}
"""By trouble: the pace of at least and at most how many seconds, and how soon the disk is full."""


class Teller:
    """A look of the supervisor that tells administrators by email what the database cannot."""

    def __init__(self, places: Locations) -> None:
        self._places = places
        self._next, self._mark, self._marked = 0.0, 0.0, time.monotonic()
        self._free: deque[tuple[float, int]] = deque(maxlen=24 * 3600 // LOOK_SECONDS + 1)
        self._seen: dict[str, int] = {}
        self._told: dict[str, tuple[str, str, str]] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._telling = ("", "", "", "")

    def look(self, now: float | None = None) -> None:
        """Look for troubles, and tell one that is new or over; return at once."""
        if (now := time.monotonic() if now is None else now) < self._next:
            return
        self._next = now + LOOK_SECONDS
        found = dict(self._troubles(now))
        self._seen = {name: self._seen.get(name, 0) + 1 for name in found}
        if self._process is not None:
            self._hear(now)
        if self._process is None and (news := next(self._news(found), None)):
            self._telling = news
            command = [*upgrade.MANAGE, "tell_alarm", *news]
            with suppress(OSError):
                self._process = spawn(command, log=self._places.logs / "alarms.log", cwd=ROOT)
                self._until = now + MOST_SECONDS

    def _hear(self, now: float) -> None:
        """Remember what has been told; a mail server that takes too long is left."""
        assert self._process is not None
        if (status := self._process.poll()) is None:
            if now > self._until:
                self._process.kill()
            return
        self._process = None
        name, state, value, since = self._telling
        if status == 0 and state == "on":
            self._told[_topic(name)] = name, value, since
        elif status == 0:
            self._told.pop(_topic(name), None)

    def _news(self, found: dict[str, str]) -> Iterator[tuple[str, str, str, str]]:
        now = datetime.datetime.now(datetime.UTC).isoformat()
        for name, value in found.items():
            before = self._told.get(_topic(name))
            is_worse = before is None or (name in DISK and DISK.index(name) > DISK.index(before[0]))
            if self._seen[name] >= LASTS and is_worse:
                yield name, "on", value, now
        for topic, (name, value, since) in self._told.items():
            if topic not in map(_topic, found):
                yield name, "over", value, since

    def _troubles(self, now: float) -> Iterator[tuple[str, str]]:
        disk = shutil.disk_usage(self._places.data)
        self._free.append((now, disk.free))
        if not upgrade.has_room(self._places):
            yield "full", str(disk.free // 1_000_000)
            return
        if disk.free < NEARLY * disk.total:
            for name, (least, most, soon) in PACES.items():
                kept = [(at, free) for at, free in self._free if now - at <= most]
                (began, first), (half, middle) = kept[0], kept[len(kept) // 2]
                if now - began < least or half == now:
                    continue
                pace = min((first - middle) / (half - began), (middle - disk.free) / (now - half))
                if disk.free < soon * pace:
                    yield name, f"{disk.free / 1e9:.1f}"
                    break
        mark = self._mark
        with suppress(OSError):
            mark = (self._places.data / FILE).stat().st_mtime
        if mark != self._mark:
            self._mark, self._marked = mark, now
        # By a clock that stands while the machine sleeps.
        if now - self._marked > SILENT_SECONDS:
            since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(
                seconds=now - self._marked
            )
            yield "silent", f"{since:%H:%M} UTC"


def _topic(name: str) -> str:
    return "disk" if name in DISK else name
