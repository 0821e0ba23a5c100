"""Backup of the whole database to one file, and its restore to another database."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from launcher import retention, sealing, segment
from launcher.binaries import postgres_program
from launcher.errors import LaunchError
from launcher.locations import POSTGRES_PORT, Locations, private_folder
from launcher.postgres import NAME, clean_environment
from launcher.roles import READER

ASK_SECONDS = 600
"""For one answer; counts of what a restore would lose may take minutes."""
MARKS = ".marks"
"""Beside a backup: where each club's log ended just before (`league.base.facts.log_marks`)."""
_LOG_ENDS = """
    SELECT json_object_agg(club_id, digest) FROM (SELECT DISTINCT ON (club_id) club_id, digest
    FROM league_auditmark ORDER BY club_id, id DESC) AS ends
"""
ProgramCall = Sequence[str | Path]


class ProgramFailure(LaunchError):
    """A failure of one of PostgreSQL's programs."""


def save(places: Locations, *, label: str = "backup") -> Path:
    """Write the running database to a new file under `backups/` and return its path.

    Of each label the files of its plan are kept, and none that is much older than the newest of
    all. The caller keeps the server running.
    """
    folder = chosen_folder(places)
    target = folder / f"{label}-{time.strftime(retention.MOMENT, time.gmtime())}.dump"
    for left in folder.glob(f"{label}-*.part"):
        left.unlink()
    log_ends = ""
    with suppress(LaunchError):  # A release before this one chains no log.
        log_ends = ask(places, database_name(), _LOG_ENDS)
    dump(places, target)
    if log_ends:
        target.with_suffix(MARKS).write_text(log_ends)
    too_many = retention.superfluous(folder.glob(f"{label}-*.dump"))
    for old in too_many | retention.expired(folder.glob("*.dump")):
        old.unlink()
        old.with_suffix(MARKS).unlink(missing_ok=True)
    return target


def dump(places: Locations, target: Path) -> None:
    """Write the running database to a file that `restore_beside` takes."""
    write(places, [postgres_program("pg_dump"), "--format=custom", database_name()], target)


def write(places: Locations, command: ProgramCall, target: Path) -> None:
    """Write what one of PostgreSQL's programs gives to a file, encrypted if there is a key."""
    key, unfinished = sealing.words(), target.with_suffix(".part")
    try:
        unfinished.touch(mode=0o600)
        with unfinished.open("wb") as output:
            _give(places, command, output, key)
        segment.finish(unfinished, target)
    except OSError as error:
        raise LaunchError(f"{target.parent} takes no backup: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def restore_beside(places: Locations, file: Path, name: str) -> None:
    """Create the database `name` from the file, replacing any database of that name."""
    if not file.is_file():
        raise LaunchError(f"There is no file {file}: the backups are in {places.backups}.")
    drop(places, name)
    sql(places, f'CREATE DATABASE "{name}" TEMPLATE template0')
    # The next start grants anew: the roles may be others on this server.
    options = ["--exit-on-error", "--no-owner", "--no-privileges", f"--dbname={name}"]
    with file.open("rb") as source:
        try:
            content = sealing.content(source, file)
            _run(places, [postgres_program("pg_restore"), *options], given=content)
        except ProgramFailure as error:
            raise LaunchError(
                f"{error} If that does not say why, {file} is damaged: try another backup."
            ) from error


def newest(places: Locations) -> Path:
    """Return the newest backup; raise LaunchError if there is none."""
    known = states(places.backups)
    if not known:
        raise LaunchError(f"There is no backup in {places.backups} yet.")
    return max(known, key=lambda file: known[file].st_mtime)


def states(folder: Path) -> dict[Path, os.stat_result]:
    """Return the backups in a folder that can be looked at: a share may go away at any time."""
    found = {}
    with suppress(OSError):
        for file in folder.glob("*.dump"):
            with suppress(OSError):  # An old backup may have been deleted since.
                found[file] = file.stat()
    return found


def drop(places: Locations, name: str) -> None:
    """Drop the database if it exists, ending connections to it."""
    sql(places, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def database_name() -> str:
    address = os.environ.get("DATABASE_URL", "").strip()
    return unquote(urlsplit(address).path.lstrip("/")) if address else NAME


def address_of(places: Locations, name: str) -> str:
    """Return the DATABASE_URL of another database on the same server."""
    address = os.environ.get("DATABASE_URL", "").strip()
    if address:
        return urlsplit(address)._replace(path=f"/{quote(name)}").geturl()
    return f"postgres://{NAME}@:{POSTGRES_PORT}/{name}?host={quote(str(places.sockets))}"


def size(places: Locations) -> int:
    """Return the database's size on the server's disk in bytes."""
    return int(ask(places, database_name(), "SELECT pg_database_size(current_database())"))


def ask(places: Locations, name: str, query: str, *, seconds: float = ASK_SECONDS) -> str:
    """Return the result of a query on a database, one line per row."""
    command = [*_psql(name), "-Atc", query]
    try:
        done = subprocess.run(
            command, capture_output=True, env=_environment(places), timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LaunchError(f"The database has not answered for {seconds:.0f} s.") from error
    if done.returncode != 0:
        raise LaunchError(f"The database does not answer: {done.stderr.decode().strip()}")
    return done.stdout.decode().rstrip("\n")


def put(places: Locations, name: str, statements: str) -> None:
    """Run statements of any length on a database, all of them or none."""
    at_once = ["--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    _run(places, [*_psql(name), *at_once], given=[statements.encode()])


def databases(places: Locations) -> list[str]:
    """Return the names of the server's databases."""
    return ask(places, "postgres", "SELECT datname FROM pg_database").splitlines()


def sql(places: Locations, statements: str) -> None:
    """Run statements in one transaction, outside the product's database."""
    _run(places, [*_psql("postgres"), "-c", statements])


def chosen_folder(places: Locations) -> Path:
    """Return the folder of the backups.

    A folder chosen by TIENLEN_BACKUPS must exist, so that nothing is created in place of an
    unmounted share. Its permissions are left to its owner.
    """
    if places.backups.parent == places.data:
        return private_folder(places.backups)
    if not places.backups.is_dir():
        raise LaunchError(
            f"TIENLEN_BACKUPS is {places.backups}, which is no folder: mount it or create it."
        )
    return places.backups


def _give(places: Locations, command: ProgramCall, output: IO[bytes], key: str) -> None:
    with log_file(places).open("ab") as log:
        before = log.tell()
        dumping = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, env=_environment(places, READER)
        )
    assert dumping.stdout is not None
    with dumping:
        if key:
            sealing.seal(dumping.stdout, output, key)
        else:  # Not by itself: pg_dump overlooks that the disk has no room for its last piece.
            shutil.copyfileobj(dumping.stdout, output, 1 << 20)
    _check(places, command, dumping.returncode, before)


def _psql(name: str) -> ProgramCall:
    return [postgres_program("psql"), "--no-psqlrc", f"--dbname={name}"]


def _run(
    places: Locations,
    command: ProgramCall,
    *,
    given: Iterable[bytes] = (),
) -> None:
    """Run one of PostgreSQL's programs with this input; raise LaunchError if it fails."""
    with log_file(places).open("ab") as log:
        before = log.tell()
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env=_environment(places),
        )
    assert process.stdin is not None
    try:
        with process.stdin as words:
            for block in given:
                words.write(block)
    except BrokenPipeError:
        pass  # The program ended; its log says why.
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
    _check(places, command, process.returncode, before)


def _check(places: Locations, command: ProgramCall, status: int, before: int) -> None:
    """Raise ProgramFailure if the program failed, with its log from offset `before`."""
    if status != 0:
        log, name = log_file(places), Path(command[0]).name
        with log.open("rb") as lines:
            lines.seek(before)
            said = lines.read().decode(errors="replace").replace(f"{name}: error: ", "")
        last = " / ".join(said.strip().splitlines()[-3:]) or f"nothing, with status {status}."
        raise ProgramFailure(f"{name} failed, nothing was replaced. It said: {last}")


def log_file(places: Locations) -> Path:
    """Return the log of backups and restores, in a folder that exists."""
    return private_folder(places.logs) / "backup.log"


def _environment(places: Locations, role: str = NAME) -> dict[str, str]:
    """Return the environment in which PostgreSQL's programs find the server.

    The role is one of the embedded server; DATABASE_URL names its own.
    """
    address = os.environ.get("DATABASE_URL", "").strip()
    if not address:
        return clean_environment() | {"PGHOST": str(places.sockets), "PGUSER": role}
    parts = urlsplit(address)
    known = {
        "PGHOST": unquote(parts.hostname or ""),
        "PGPORT": str(parts.port or POSTGRES_PORT),
        "PGUSER": unquote(parts.username or ""),
        "PGPASSWORD": unquote(parts.password or ""),
    }
    options = {f"PG{name.upper()}": value for name, value in parse_qsl(parts.query)}
    return clean_environment() | {name: value for name, value in known.items() if value} | options
