"""What a start does to the data before anybody may use it."""

from __future__ import annotations

import hashlib
import shutil
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

from config.embedded import backup
from config.embedded.children import spawn, stop, tail
from config.embedded.errors import LaunchError
from config.embedded.locations import ROOT, Locations
from config.embedded.supervisor import StopSignal
from config.embedded.telling import tell

NEEDED_MEGABYTES = 300
LEAST_MEGABYTES = 64  # PostgreSQL needs room for its log before it can start.
LARGEST_LOG = 5_000_000  # bytes
LOCK_FILE = ROOT / "requirements" / "runtime.txt"


def check_space(places: Locations) -> None:
    """Raise LaunchError when the disk is too full for a database to work safely."""
    free = shutil.disk_usage(places.data).free // 1_000_000
    if free < NEEDED_MEGABYTES:
        raise LaunchError(
            f"Only {free} MB are free for {places.data}: make room for {NEEDED_MEGABYTES} MB, "
            "or choose a folder on another disk with --data."
        )


def has_room(places: Locations) -> bool:
    """Whether a database that is there already can work on."""
    return shutil.disk_usage(places.data).free // 1_000_000 >= LEAST_MEGABYTES


def trim_logs(places: Locations) -> None:
    """Put large logs aside as `.log.1`, in place of the one put aside before."""
    for log in places.logs.glob("*.log"):
        if log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_suffix(".log.1"))


def back_up_if_new_release(places: Locations) -> None:
    """Save the running database when another release than this one left it behind."""
    if places.release.exists() and places.release.read_text() != release_fingerprint():
        tell(f"New release: the data is saved to {backup.save(places, label='upgrade')}")


def release_fingerprint() -> str:
    """Return a digest of the locked requirements and the names of all migrations."""
    names = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("*/migrations/*.py"))
    return _digest([LOCK_FILE], names)


def static_fingerprint() -> str:
    """Return a digest of what collectstatic would collect, by name, size and time."""
    folders = [ROOT / "static", *ROOT.glob("*/static")]
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    states = [(path, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return _digest([LOCK_FILE], map(repr, states))


def prepare(places: Locations, *, demo: bool, stop_signal: StopSignal) -> str:
    """Migrate, collect static files, make the demo or the owner's link; return what to tell.

    Raises LaunchError when it fails and Stopped when the end is asked for meanwhile.
    """
    log, notes = places.logs / "prepare.log", places.data / "notes"
    command = [sys.executable, "-m", "config.embedded.prepare", str(notes)]
    command.append("--demo" if demo else "--owner-link")
    collected = places.data / "static-release"
    if not collected.exists() or collected.read_text() != static_fingerprint():
        command.append("--static")
    process = spawn(command, log=log, cwd=ROOT)
    try:
        while process.poll() is None:
            stop_signal.pause(0.05)
    finally:
        stop(process, (signal.SIGTERM, 5), group=True)
    if process.returncode != 0:
        raise LaunchError(
            f"The database cannot be brought up to this release; {log} ends with: {tail(log)}"
        )
    places.release.write_text(release_fingerprint())
    collected.write_text(static_fingerprint())
    told = notes.read_text()
    notes.unlink()  # It may hold a link that signs in.
    return told.strip("\n")


def _digest(files: Iterable[Path], more: Iterable[str]) -> str:
    digest = hashlib.sha256("\n".join(more).encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
