"""The list of what was erased, beside the backups: a restore makes its database forget again.

A line for each row of `league_erasure`. What a backup is from before is handed to the restored
database in a table of its own, which the next start reads before anything is served.
"""

import json
from pathlib import Path

from launcher import backup, segment
from launcher.errors import LaunchError
from launcher.locations import Locations

FILE, WAITING = "erasures.jsonl", "erasures_to_repeat"
_TABLE = "league_erasure"
_ALL = f"SELECT to_jsonb(listed) FROM {_TABLE} AS listed ORDER BY at"
Erasures = dict[str, str]
"""By the key that each has in every database."""


def save(places: Locations) -> None:
    """Bring the list beside the backups up to date."""
    file = backup.chosen_folder(places) / FILE
    before = _of_file(file)
    if (lines := before | _of_database(places, backup.database_name())) != before:
        _write(file, lines)


def hand_over(places: Locations, name: str, *files: Path, is_lost: bool = False) -> int:
    """Leave the whole list to the restored database `name`; return how many lines are new to it.

    It is known from the database in use, from beside the backups and from the files. Raises
    LaunchError where that lacks what the restored database has, unless that list `is_lost`.
    """
    own = backup.chosen_folder(places) / FILE
    there, lines = _of_database(places, name), Erasures()
    for file in (own, *files):
        lines |= _of_file(file)
    lines |= _of_database(places, backup.database_name())
    if not is_lost and not there.keys() <= lines.keys():
        raise LaunchError(
            f"Nothing was replaced: {FILE}, the list of accounts and names deleted since then, is "
            f"missing or older than the backup. Copy it from beside the backups to {own.parent}. "
            "If it is lost, add --erasures-lost: what was deleted since then is back."
        )
    lines |= there
    _write(own, lines)
    backup.put(
        places,
        name,
        f"DROP TABLE IF EXISTS {WAITING};\nCREATE TABLE {WAITING} (line jsonb);\n"
        f"COPY {WAITING} FROM STDIN;\n" + "".join(f"{line}\n" for line in lines.values()) + "\\.\n",
    )
    return len(lines.keys() - there.keys())


def _of_database(places: Locations, name: str) -> Erasures:
    """Return the list of a database; none of an older release has one."""
    if name not in backup.databases(places):
        return {}
    if not backup.ask(places, name, f"SELECT to_regclass('{_TABLE}')"):
        return {}
    return _keyed(backup.ask(places, name, _ALL), name)


def _of_file(file: Path) -> Erasures:
    try:
        return _keyed(file.read_text(), str(file))
    except FileNotFoundError:
        return {}


def _keyed(text: str, source: str) -> Erasures:
    try:
        return {json.loads(line)["id"]: line for line in text.splitlines()}
    except (ValueError, KeyError, TypeError) as error:
        raise LaunchError(f"{source} holds a line that is no erasure: {error}.") from error


def _write(file: Path, lines: Erasures) -> None:
    unfinished = file.with_suffix(".part")
    try:
        unfinished.write_text("".join(f"{line}\n" for line in lines.values()))
        segment.finish(unfinished, file)
    except OSError as error:
        raise LaunchError(f"{file} cannot be written: {error.strerror}.") from error
