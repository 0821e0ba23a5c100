"""What a start does to the data before anyone may use it."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from launcher import backup
from launcher.children import spawn, stop, tail
from launcher.errors import LaunchError
from launcher.locations import ROOT, Locations
from launcher.output import tell
from launcher.supervisor import StopSignal

NEEDED_MEGABYTES = 300
LEAST_MEGABYTES = 64  # PostgreSQL needs room for its log before it can start.
NEWER_DATA = 3  # As the command's status (league.management.commands.migrate).
MANAGE = (sys.executable, str(ROOT / "manage.py"))
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


def back_up_if_new_release(places: Locations) -> None:
    """Save the running database when another release than this one left it behind."""
    if _is_of_another_release(places):
        tell(f"New release: the data is saved to {backup.save(places, label='upgrade')}")


def _is_of_another_release(places: Locations) -> bool:
    return places.release.exists() and places.release.read_text() != release_fingerprint()


def refuse_newer_data(places: Locations) -> None:
    """Raise LaunchError where a newer release wrote the data that another than this one left."""
    if _is_of_another_release(places):
        _is_up_to_date(places)


def upgrade(places: Locations) -> None:
    """Save the database and migrate it, where there is something to migrate."""
    if _is_up_to_date(places):
        return
    tell(f"The data is saved to {backup.save(places, label='upgrade')}")
    command = [*MANAGE, "migrate", "--no-input"]
    done = subprocess.run(command, cwd=ROOT, env=_environment(places), check=False)
    if done.returncode != 0:
        raise LaunchError("The database cannot be brought up to this release.")


def _is_up_to_date(places: Locations) -> bool:
    """Return whether there is nothing to migrate; raise LaunchError for newer data."""
    done = subprocess.run(
        [*MANAGE, "migrate", "--check", "--verbosity=0"],
        cwd=ROOT, env=_environment(places), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == NEWER_DATA:
        raise LaunchError(done.stderr.strip().removeprefix("CommandError: "))
    return done.returncode == 0


def _environment(places: Locations) -> dict[str, str]:
    return os.environ | {"TIENLEN_DATA": str(places.data)}


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

    Raises LaunchError when it fails and Stopped when the end is asked for.
    """
    log, notes = places.logs / "prepare.log", places.data / "notes"
    command = [sys.executable, "-m", "launcher.prepare", str(notes)]
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
