"""Weekly proof that a backup can be restored, in a scratch database beside the one in use."""

import datetime
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from launcher import backup
from launcher.children import beginning, tail
from launcher.errors import LaunchError
from launcher.locations import ROOT, Locations

EVERY, AFTER_A_FAILURE = datetime.timedelta(days=7), datetime.timedelta(days=1)
SCRATCH = "tienlen_proof"
ROOM_MEGABYTES = 300  # Must stay free besides the second database.
MOST_SECONDS = 6 * 3600


@dataclass(frozen=True)
class BackupProof:
    """The result of restoring a backup; `problem` is "" if the backup was complete."""

    file: str
    at: str
    seconds: float
    problem: str

    @property
    def moment(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.at)


def last(backups: Path) -> BackupProof | None:
    """Return the last proof of a backup in this folder, or None."""
    try:
        return BackupProof(**json.loads((backups / "proof.json").read_text()))
    except (OSError, ValueError, TypeError):
        return None


def is_due(places: Locations, now: datetime.datetime) -> bool:
    """Return whether a backup exists and a proof is due: weekly, or a day after a failure."""
    if next(places.backups.glob("*.dump"), None) is None:
        return False
    known = last(places.backups)
    wait = EVERY if known is None or not known.problem else AFTER_A_FAILURE
    return known is None or now - known.moment > wait


def prove(places: Locations, file: Path) -> BackupProof:
    """Restore the file to a scratch database, compare it with a rebuild and store the result.

    A backup of an older release is migrated first. The caller keeps the server running.
    """
    began, started = datetime.datetime.now(datetime.UTC), time.monotonic()
    try:
        try:
            _check_room(places)
            backup.restore_beside(places, file, SCRATCH)
            for command in (["migrate", "--no-input", "--verbosity=0"], ["verify"]):
                _manage(places, *command)
        finally:
            backup.drop(places, SCRATCH)
        problem = ""
    except LaunchError as error:
        problem = str(error)
    proof = BackupProof(file.name, began.isoformat(), round(time.monotonic() - started, 1), problem)
    unfinished = places.backups / "proof.part"
    with suppress(OSError):  # The returned proof counts too, and a later run tries again.
        unfinished.write_text(json.dumps(asdict(proof)))
        unfinished.replace(places.backups / "proof.json")
    return proof


def _check_room(places: Locations) -> None:
    """Raise LaunchError if a second database would fill the disk of an embedded server."""
    if not places.cluster.exists():
        return
    needed = backup.size(places) // 1_000_000 + ROOM_MEGABYTES
    free = shutil.disk_usage(places.cluster).free // 1_000_000
    if free < needed:
        raise LaunchError(f"No room to try it: {needed} MB are needed and {free} MB are free.")


def _manage(places: Locations, *arguments: str) -> None:
    """Run a `manage.py` command on the scratch database."""
    log = backup.log_file(places)
    environment = os.environ | {
        "TIENLEN_DATA": str(places.data),
        "DATABASE_URL": backup.address_of(places, SCRATCH),
        "TIENLEN_BACKUPS": os.devnull,  # Its log lacks the marks of later ones.
    }
    with log.open("ab") as output:
        try:
            done = subprocess.run(
                [*beginning(signal.SIGKILL), sys.executable, str(ROOT / "manage.py"), *arguments],
                cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                timeout=MOST_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise LaunchError(f"{arguments[0]} took longer than {MOST_SECONDS} s.") from None
    if done.returncode != 0:
        raise LaunchError(f"{arguments[0]} found it wrong; {log} ends with: {tail(log)}")
