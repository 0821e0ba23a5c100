"""Preparation of the data at a start, before anyone may use it."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from launcher import backup, roles, systemd
from launcher.children import spawn, stop, tail
from launcher.errors import LaunchError
from launcher.locations import ROOT, Locations
from launcher.output import tell
from launcher.supervisor import StopSignal

NEEDED_MEGABYTES = 300
LEAST_MEGABYTES = 64  # PostgreSQL needs room for its log before it can start.
NEWER_DATA = 3
"""Exit status of `migrate` for data of a newer release."""
MANAGE = (sys.executable, str(ROOT / "manage.py"))
LOCK_FILE = ROOT / "requirements" / "runtime.txt"


def check_space(places: Locations) -> None:
    """Raise LaunchError if the disk is too full for a database to work safely."""
    free = shutil.disk_usage(places.data).free // 1_000_000
    if free < NEEDED_MEGABYTES:
        raise LaunchError(
            f"Only {free} MB are free for {places.data}: make room for {NEEDED_MEGABYTES} MB, "
            "or choose a folder on another disk with --data."
        )


def has_room(places: Locations) -> bool:
    """Return whether an existing database has enough disk space to run."""
    return shutil.disk_usage(places.data).free // 1_000_000 >= LEAST_MEGABYTES


def back_up_if_new_release(places: Locations) -> None:
    """Back up the running database if another release used it last."""
    if _is_of_another_release(places):
        tell(f"New release: the data is saved to {backup.save(places, label='upgrade')}")


def _is_of_another_release(places: Locations) -> bool:
    return places.release.exists() and places.release.read_text() != release_fingerprint()


def refuse_newer_data(places: Locations) -> None:
    """Raise LaunchError if a newer release used the data last."""
    if _is_of_another_release(places):
        _is_up_to_date(places)


def upgrade(places: Locations, passwords: dict[str, str]) -> None:
    """Back up and migrate the database if migrations are pending; say if alarms reach nobody.

    With passwords, by role, an outside database gets the roles of `launcher.roles`.
    """
    if not _is_up_to_date(places):
        tell(f"The data is saved to {backup.save(places, label='upgrade')}")
        _manage(places, "migrate", "--no-input")
    _manage(places, "forget_again")
    if passwords:
        backup.ask(places, backup.database_name(), roles.made(**passwords))
        backup.ask(places, backup.database_name(), roles.grants())
    _manage(places, "warn_unheard")


def _manage(places: Locations, *command: str) -> None:
    done = subprocess.run([*MANAGE, *command], cwd=ROOT, env=_environment(places), check=False)
    if done.returncode != 0:
        raise LaunchError("The database cannot be brought up to this release.")


def _is_up_to_date(places: Locations) -> bool:
    """Return whether no migrations are pending; raise LaunchError for newer data."""
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
    """Return a digest of the static files' names, sizes and times and of the requirements."""
    folders = [ROOT / "static", *ROOT.glob("*/static")]
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    states = [(path, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return _digest([LOCK_FILE], map(repr, states))


def prepare(places: Locations, *, demo: bool, stop_signal: StopSignal) -> str:
    """Migrate, collect static files, create the demo or the owner's link; return the text to print.

    Raises LaunchError if it fails and Stopped if a stop is requested.
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
    return _told(notes)


def _told(notes: Path) -> str:
    """Return what may be told of notes with a sign-in: not themselves where a journal keeps it."""
    text = notes.read_text().strip("\n")
    if text and systemd.is_journal():
        return f"  see {notes}"
    notes.unlink()
    return text


def _digest(files: Iterable[Path], more: Iterable[str]) -> str:
    digest = hashlib.sha256("\n".join(more).encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
