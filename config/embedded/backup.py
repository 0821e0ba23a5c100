"""The whole database in one file, and back."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from config.embedded.binaries import postgres_program
from config.embedded.children import tail
from config.embedded.errors import LaunchError
from config.embedded.locations import Locations, private_folder
from config.embedded.postgres import NAME, clean_environment

KEPT = 10


def save(places: Locations, *, label: str = "backup") -> Path:
    """Write the running database to a new file under `backups/` and return its path.

    The newest ten files of each label are kept. The caller sees to it that the server runs.
    """
    private_folder(places.backups)
    moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    target = places.backups / f"{label}-{moment}.dump"
    unfinished = target.with_suffix(".part")
    pg_dump = postgres_program("pg_dump")
    _run(places, [pg_dump, "--format=custom", f"--file={unfinished}", NAME])
    unfinished.rename(target)
    for old in sorted(places.backups.glob(f"{label}-*.dump"))[:-KEPT]:
        old.unlink()
    return target


def restore(places: Locations, file: Path) -> None:
    """Replace the running database by the one in `file`; other connections to it are ended.

    All or nothing: the file is restored beside the database, which then gives up its name.
    """
    if not file.is_file():
        raise LaunchError(f"There is no file {file}: the backups are in {places.backups}.")
    beside = f"{NAME}_restored"
    _sql(places, f"DROP DATABASE IF EXISTS {beside}")
    _sql(places, f"CREATE DATABASE {beside} OWNER {NAME}")
    _run(places, [postgres_program("pg_restore"), "--exit-on-error", f"--dbname={beside}", file])
    _sql(places, f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
    _sql(places, f"ALTER DATABASE {beside} RENAME TO {NAME}")


def _sql(places: Locations, statement: str) -> None:
    _run(places, [postgres_program("psql"), "--no-psqlrc", "--dbname=postgres", "-c", statement])


def _run(places: Locations, command: list[str | Path]) -> None:
    log = places.logs / "backup.log"
    where = {"PGHOST": str(places.sockets), "PGUSER": NAME}
    with log.open("ab") as output:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=clean_environment() | where,
            check=False,
        )
    if done.returncode != 0:
        name = Path(command[0]).name
        raise LaunchError(f"{name} failed, nothing was replaced; {log} ends with: {tail(log)}")
