"""Automatic backups, every night, after a club's night and at a stop, and weekly proofs of them."""

import datetime
import subprocess
import sys
import threading
import time
from contextlib import suppress

from launcher import backup, erasures, moments, proof, upgrade
from launcher.children import spawn, stop, tail
from launcher.errors import LaunchError
from launcher.locations import ROOT, Locations
from launcher.night import SOON, is_night
from launcher.output import tell
from launcher.retention import LABEL, moments_of

LATE = datetime.timedelta(hours=30)
"""The age of a backup after which a machine that was off at night makes one by day."""
BEFORE = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
LOOK_SECONDS, AGAIN_SECONDS, STOP_SECONDS = 60, 3600, 4
AFTER_NIGHT, FRESH = datetime.timedelta(minutes=2), datetime.timedelta(minutes=10)
"""How long a closed night may be opened again first; the age of a save that a stop repeats."""
_CLOSED = "SELECT coalesce(extract(epoch FROM max(closed_at)), 0)::bigint FROM league_event"


def is_due(last: datetime.datetime, now: datetime.datetime) -> bool:
    """Return whether the next backup after one made at `last` is due."""
    age = now - last
    return age > LATE or (age > SOON and is_night(now))


def newest(places: Locations) -> datetime.datetime:
    """Return when the last nightly backup began, or when the database was created."""
    if found := moments_of(places.backups.glob(f"{LABEL}-*.dump")):
        return max(found.values())
    version = places.cluster / "PG_VERSION"
    if not version.exists():  # The database is on an outside server.
        return BEFORE
    return datetime.datetime.fromtimestamp(version.stat().st_mtime, datetime.UTC)


def last_save(places: Locations) -> datetime.datetime:
    """Return when the newest backup of any kind was finished, or the database was created."""
    times = [state.st_mtime for state in backup.states(places.backups).values()]
    if not times:
        return newest(places)
    return datetime.datetime.fromtimestamp(max(times), datetime.UTC)


def is_night_unsaved(places: Locations, now: datetime.datetime) -> bool:
    """Return whether a night was closed, some minutes ago, that no backup holds."""
    closed = datetime.datetime.fromtimestamp(
        int(backup.ask(places, backup.database_name(), _CLOSED)), datetime.UTC
    )
    begun = moments_of(places.backups.glob("*.dump")).values()
    return max(begun, default=newest(places)) <= closed < now - AFTER_NIGHT


def save_at_stop(places: Locations) -> None:
    """Save the running database if its last save is older than `FRESH`; never raise."""
    try:
        # One that stands still must not hold the stop.
        backup.ask(places, backup.database_name(), "SELECT 1", seconds=STOP_SECONDS)
        if datetime.datetime.now(datetime.UTC) - last_save(places) >= FRESH:
            tell(f"Saved: {backup.save(places, label='stop')}")
        erasures.save(places)
    except (LaunchError, OSError) as error:  # A share may go away while it is looked at.
        tell(f"Nothing was saved: {error}")


class Nightly:
    """A scheduler that runs due backups and proofs in a child process."""

    def __init__(self, places: Locations) -> None:
        self._places, self._log = places, backup.log_file(places)
        self._next = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._action: list[str] = []
        self._asking: threading.Thread | None = None
        self._was_full = False

    def look(self) -> None:
        """Start the due action, or report that it failed; return at once."""
        now = time.monotonic()
        if self._process is not None:
            if (status := self._process.poll()) is None:
                return
            self._process = None
            if status:
                self._next = now + AGAIN_SECONDS
                self._was_full = not upgrade.has_room(self._places)
                tell(self._failure())
        elif self._asking is not None:
            if not self._asking.is_alive():
                self._asking = None
                self._start()
        elif now >= self._next or (self._was_full and upgrade.has_room(self._places)):
            self._was_full = False
            self._next, self._action = now + LOOK_SECONDS, []
            # In a thread: a database that stands still must not hold who looks.
            self._asking = threading.Thread(target=self._ask, daemon=True)
            self._asking.start()

    def stop(self) -> None:
        """End what runs, with what it has started."""
        if self._process is not None:
            stop(self._process, group=True)

    def _start(self) -> None:
        if self._action:
            command = [sys.executable, "-m", "launcher", *self._action]
            self._process = spawn(
                [*command, "--data", str(self._places.data)], log=self._log, cwd=ROOT, nice=10
            )

    def _ask(self) -> None:
        # Where the database is away, the next look asks again.
        with suppress(LaunchError, OSError):
            erasures.save(self._places)
        with suppress(LaunchError, OSError):
            self._action = self._due()

    def _due(self) -> list[str]:
        now = datetime.datetime.now(datetime.UTC)
        if is_due(newest(self._places), now):
            return ["backup", "--nightly"]
        if is_night_unsaved(self._places, now):
            return ["backup", "--label", "night"]
        if moments.is_embedded(self._places) and moments.is_base_due(self._places):
            return ["base"]
        return ["prove"] if proof.is_due(self._places, now) else []

    def _failure(self) -> str:
        if self._action[0] == "prove":
            known = proof.last(self._places.backups)
            found = known.problem if known else f"{self._log} ends with: {tail(self._log)}"
            return f"The newest backup could not be proved by restoring it. {found}"
        times = [state.st_mtime for state in backup.states(self._places.backups).values()]
        of = "none can be seen there"
        if times:
            of = f"the newest is of {time.strftime('%Y-%m-%d', time.gmtime(max(times)))}"
        again = "as soon as there is room" if self._was_full else "in an hour"
        return (
            f"The automatic backup failed and is tried again {again}; {of}. "
            f"{self._log} ends with: {tail(self._log)}"
        )


def keep(places: Locations) -> None:
    """Back up and prove forever, for a database that DATABASE_URL names."""
    nightly = Nightly(places)
    while True:
        nightly.look()
        time.sleep(1)
