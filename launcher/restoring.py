"""Restoring a backup; the replaced database is kept for a week under another name."""

import datetime
import time
from collections.abc import Callable
from pathlib import Path

from launcher import backup, erasures, retention
from launcher.errors import LaunchError
from launcher.locations import Locations
from launcher.retention import SAID

KEPT_FOR = datetime.timedelta(days=7)
STAMP = "%Y%m%d_%H%M%S"
CHANGES = ("league_audit", "league_result", "tables_action")
"""Append-only tables, used to count the changes since a backup."""


def restore(
    places: Locations,
    file: Path,
    *,
    confirm: Callable[[str], bool],
    are_erasures_lost: bool = False,
) -> str:
    """Replace the running database by the one in `file`; return the text to print.

    Nothing else may use the database. `confirm` gets a text of what would be lost, and decides. All
    or nothing: the file is restored to another database, then both are renamed. `file` may also be
    the name of a database that an earlier restore has kept. What was erased since then is erased
    again at the next start (`erasures`).
    """
    name = backup.database_name()
    sweep(places)
    _refuse_others(places, name)
    again = str(file) if str(file) in _replaced(places, name) else ""
    beside = again or f"{name}_restored"
    try:
        if not again:
            backup.restore_beside(places, file, beside)
        beside_file = file.parent / erasures.FILE
        erased = erasures.hand_over(places, beside, beside_file, is_lost=are_erasures_lost)
        if not confirm(_what_is_lost(places, name, beside, file, erased)):
            raise LaunchError("Nothing was replaced.")
        _refuse_others(places, name)
        old = f"{name[:40]}_before_{datetime.datetime.now(datetime.UTC):{STAMP}}"
        renames = f'ALTER DATABASE "{beside}" RENAME TO "{name}"'
        if has_old := name in backup.databases(places):
            renames = f'ALTER DATABASE "{name}" RENAME TO "{old}"; {renames}'
        backup.sql(places, renames)  # In one transaction.
        for marks in places.backups.glob(f"*{backup.MARKS}"):
            marks.unlink()  # Of a log that is now another.
    except BaseException:
        if not again:
            backup.drop(places, beside)
        raise
    text = f"Restored from {file}."
    if has_old:
        until = datetime.datetime.now(datetime.UTC) + KEPT_FOR
        text += (
            f"\nThe database from before is kept as {old} until {until:{SAID}}. To go back to it: "
            f"python -m launcher restore {old} --data {places.data}"
        )
    return text


def sweep(places: Locations) -> None:
    """Drop the databases that restores have kept for more than a week."""
    now = datetime.datetime.now(datetime.UTC)
    for name, moment in _replaced(places, backup.database_name()).items():
        if now - moment > KEPT_FOR:
            backup.drop(places, name)


def _replaced(places: Locations, name: str) -> dict[str, datetime.datetime]:
    """Return the databases that restores have kept, with the time of each restore."""
    prefix, found = f"{name[:40]}_before_", {}
    for other in backup.databases(places):
        try:
            moment = datetime.datetime.strptime(other.removeprefix(prefix), STAMP)
        except ValueError:
            continue
        if other.startswith(prefix):
            found[other] = moment.replace(tzinfo=datetime.UTC)
    return found


def _refuse_others(places: Locations, name: str) -> None:
    """Raise LaunchError while anything is connected to the database."""
    asked = (
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        f" AND datname = '{name.replace(chr(39), chr(39) * 2)}'"
    )
    for _look in range(10):  # A connection that was just closed is still counted for a moment.
        if not (count := int(backup.ask(places, "postgres", asked))):
            break
        time.sleep(0.2)
    else:
        raise LaunchError(
            f"Nothing was replaced: the database {name} is in use ({count} connections). Stop "
            "everything that uses it (web, workers, beat, other commands), then try again."
        )


def _what_is_lost(places: Locations, name: str, beside: str, file: Path, erased: int) -> str:
    """Return sentences about what a restore would lose."""
    lines = [f"{file.name} is of {_moment(places, beside, file)}."]
    if erased:
        lines[0] += f" Accounts and names deleted since then, deleted again at the start: {erased}."
    if name not in backup.databases(places):
        return lines[0]
    changes = sum(
        _number(places, name, f"SELECT count(*) FROM {table} WHERE id > {last}")
        for table in CHANGES
        for last in [_number(places, beside, f"SELECT coalesce(max(id), 0) FROM {table}")]
    )
    megabytes = int(backup.ask(places, name, "SELECT pg_database_size(current_database())")) / 1e6
    lines += [
        f"Changes in the database since then, which will be gone: {changes}.",
        f"The database is kept for a week under another name ({megabytes:.0f} MB of disk).",
    ]
    return "\n".join(lines)


def _number(places: Locations, name: str, query: str) -> int:
    """Return the number that a query gives; 0 if the database has no such table."""
    table = query.split("FROM ")[1].split()[0]
    if not backup.ask(places, name, f"SELECT to_regclass('{table}')"):
        return 0
    return int(backup.ask(places, name, query))


def _moment(places: Locations, beside: str, file: Path) -> str:
    """Return when a backup was made, or when a kept database was replaced."""
    if replaced_at := _replaced(places, backup.database_name()).get(beside):
        return f"{replaced_at:{SAID}}"
    try:
        made = datetime.datetime.strptime(file.stem[-15:], retention.MOMENT)
        made = made.replace(tzinfo=datetime.UTC)
    except ValueError:
        made = datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.UTC)
    return f"{made:{SAID}}"
