"""Recovery of the embedded database to any moment of the last week.

Beside the backups lies a folder for each database: *bases*, which are copies of its whole cluster,
and the log (`segment`) that PostgreSQL has written since the oldest of them. A base and the log
after it give the database at any later moment.
"""

import datetime
import os
import shutil
import tarfile
import time
from pathlib import Path

from launcher import backup, retention, sealing
from launcher.binaries import postgres_program
from launcher.errors import LaunchError
from launcher.locations import Locations, private_folder
from launcher.output import tell
from launcher.postgres import NAME, Postgres, log_folder, of_segment
from launcher.retention import SAID

KEPT_FOR, KEPT_AFTER_LOSS = datetime.timedelta(days=7), datetime.timedelta(days=60)
SHARE, LEAST_BYTES = 0.1, 2_000_000_000
"""Of the disk, for all bases and their log, and what they may have of a small one; the newest base
stays even if it is larger."""
MOST_LOG = 4 << 30
"""Bytes of the log, before it is compressed, after which a base is saved early."""
LATEST = "latest"
RECOVERY_SECONDS = 3600
EXACTLY = "%-d %b %Y %H:%M:%S UTC"
TOO_LATE = "recovery ended before configured recovery target was reached"


def is_embedded(places: Locations) -> bool:
    """Return whether the database is this installation's own, and not where DATABASE_URL points."""
    return places.cluster.exists() and not os.environ.get("DATABASE_URL")


def save_base(places: Locations) -> Path:
    """Save the running cluster as a new base, and drop what is too old."""
    folder = chosen_folder(places)
    first, _dot, position = _ask(
        places, "SELECT pg_walfile_name(pg_current_wal_lsn()) || '.' || pg_current_wal_lsn()"
    ).partition(".")
    for left in folder.glob("base-*.part"):
        left.unlink()
    note = places.unbroken
    note.write_text(f"{folder}\n{position}")  # Before the base: a gap beside it removes the note.
    unfinished = folder / f"base-unfinished.{first}.tar.gz"
    try:
        backup.write(
            places,
            [postgres_program("pg_basebackup"), "--pgdata=-", "--format=tar", "--gzip",
             "--wal-method=none", "--checkpoint=fast", "--no-manifest"],
            unfinished,
        )  # fmt: skip
        # Named by its end: it gives no earlier moment.
        moment = time.strftime(retention.MOMENT, time.gmtime())
        base = unfinished.rename(folder / f"base-{moment}.{first}.tar.gz")
    except BaseException:
        note.unlink(missing_ok=True)
        raise
    _drop_old(folder)
    return base


def is_base_due(places: Locations) -> bool:
    """Return whether the log has a gap, goes elsewhere now or has grown long since the base."""
    try:
        folder, position = places.unbroken.read_text().split("\n")
    except (OSError, ValueError):
        return True
    if folder != str(log_folder(places)):
        return True
    grown, _bar, size = _ask(
        places,
        f"SELECT pg_current_wal_lsn() - '{position}'::pg_lsn > {MOST_LOG},"
        " pg_size_bytes(current_setting('wal_segment_size'))",
    ).partition("|")
    bases = sorted(Path(folder).glob("base-2*.tar.gz"), key=_made)
    # An older release has run meanwhile, which keeps nothing, or somebody has moved a piece away.
    return grown == "t" or not bases or bool(_missing(bases[-1], int(size)))


def _missing(base: Path, size: int) -> set[int]:
    """Return the numbers that the log kept since a base lacks before its newest piece."""
    first = base.name.split(".")[1][8:]
    names = {file.name[8:24] for file in base.parent.glob("[0-9A-F]*.gz")}
    there = {_number(name, size) for name in names if name >= first}
    return set(range(_number(first, size), max(there, default=0))) - there


def _number(name: str, size: int) -> int:
    """Return the place of a segment in the order of all, by the last 16 digits of its name."""
    return int(name[:8], 16) * (0x1_0000_0000 // size) + int(name[8:], 16)


def is_on_one_disk(places: Locations) -> bool:
    """Return whether the backups stand on the database's own disk; OSError if they are away."""
    return places.cluster.stat().st_dev == places.backups.stat().st_dev


def begins(places: Locations, size: int) -> datetime.datetime | None:
    """Return since when every moment can be restored: from the first base without a later gap.

    `size` is that of the log's segments in bytes.
    """
    bases = sorted(log_folder(places).glob("base-2*.tar.gz"), key=_made)
    return next((_made(base) for base in bases if not _missing(base, size)), None)


def is_short(places: Locations, since: datetime.datetime | None, now: datetime.datetime) -> bool:
    """Return whether a database that is older than that goes back by less than a week, or not."""
    made = _at((places.cluster / "PG_VERSION").stat().st_mtime)
    is_old = now - made > KEPT_FOR + datetime.timedelta(days=1)
    return is_old and (since is None or now - since < KEPT_FOR)


def chosen_folder(places: Locations) -> Path:
    """Return the folder for the log, which exists; raise LaunchError if it cannot be made."""
    backup.chosen_folder(places)
    folder = log_folder(places)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LaunchError(f"{folder} cannot be made: {error.strerror}.") from error
    return folder


def dump_of(places: Locations, words: str, *, until_gap: bool = False) -> Path | None:
    """Write the database as it was at a moment to a file like a backup and return its path.

    `words` are a time or "latest", the last moment of a database that was lost; for anything else
    the result is None. LaunchError where a part of the log before the moment is missing, unless the
    database is wanted as it was before that (`until_gap`).
    """
    moment = None
    if words != LATEST:
        try:
            moment = datetime.datetime.fromisoformat(words).astimezone(datetime.UTC)
        except ValueError:
            return None
        if moment > datetime.datetime.now(datetime.UTC):
            raise LaunchError(f"{moment:{SAID}} is still to come.")
    if not is_embedded(places):
        raise LaunchError("Only the embedded database goes back to a moment: give a backup.")
    end = _ask(places, "SELECT pg_current_wal_lsn()")
    _ask(places, "SELECT pg_switch_wal()")
    base = _base_for(places, moment)
    there = Locations(places.data / "moment")
    try:
        _unpack(base, there)
        return _recovered(places, base, there, moment, end, until_gap)
    except (OSError, EOFError, tarfile.TarError) as error:
        raise LaunchError(f"{base} cannot be unpacked: {error}.") from error
    finally:
        shutil.rmtree(there.data, ignore_errors=True)


def _base_for(places: Locations, moment: datetime.datetime | None) -> Path:
    """Return the newest base before the moment, of this database or of one that was lost."""
    bases = sorted(places.backups.glob("moments/*/base-2*.tar.gz"), key=_made)
    if moment:
        found = [base for base in bases if _made(base) <= moment]
    else:
        own = log_folder(places)
        found = [base for base in bases if base.parent != own] or bases
    if not found:
        since = f"begins at {_made(bases[0]):{SAID}}" if bases else "has not begun"
        raise LaunchError(f"What is kept in {places.backups / 'moments'} {since}.")
    return found[-1]


def _unpack(base: Path, there: Locations) -> None:
    shutil.rmtree(there.data, ignore_errors=True)
    private_folder(there.data)
    packed = there.data / base.name
    with base.open("rb") as source, packed.open("wb") as target:
        target.writelines(sealing.content(source, base))
    there.cluster.mkdir(mode=0o700)
    with tarfile.open(packed) as archive:
        archive.extractall(there.cluster, filter=_as_ours)
    packed.unlink()


def _as_ours(member: tarfile.TarInfo, place: str) -> tarfile.TarInfo:
    """Return a file of a base as this user's: root would give it to whom PostgreSQL ran as."""
    safe = tarfile.tar_filter(member, place)
    return safe.replace(uid=os.geteuid(), gid=os.getegid(), uname="", gname="")


def _recovered(
    places: Locations,
    base: Path,
    there: Locations,
    moment: datetime.datetime | None,
    end: str,
    until_gap: bool,
) -> Path:
    """Replay the log up to the moment in a cluster of its own, and write its database to a file.

    `end` is where the log of the database in use ends now.
    """
    folders, is_own = [str(base.parent)], base.parent == log_folder(places)
    if is_own:  # The newest may not be kept yet.
        folders.append(str(places.cluster / "pg_wal"))
    fetch = of_segment("fetch", "%f", "%p", *folders).replace("'", "''")
    target = f"recovery_target_time = '{moment}'\n" if moment else ""
    settings = there.cluster / "postgresql.auto.conf"
    recovery = f"{settings.read_text()}\nhot_standby = off\nrestore_command = '{fetch}'\n"
    (there.cluster / "recovery.signal").touch()
    settings.write_text(f"{recovery}{target}recovery_target_action = 'promote'\n")
    server = Postgres(there, durable=False, seconds=RECOVERY_SECONDS)
    is_ended = not moment
    try:
        try:
            server.start()
        except LaunchError:
            if TOO_LATE not in server.log.read_text(errors="replace"):
                raise
            is_ended = True
            settings.write_text(recovery)
            server.start()
        last = _last_change(there) or _made(base)
        if is_ended and (gap := _gap(there, base, end if is_own else "", last)):
            if not until_gap:
                raise LaunchError(gap)
            moment = last
        # Where the log has ended without a gap, nothing was changed from its end to the moment.
        reached = moment or last
        tell(f"As of {reached:{EXACTLY}}; the last change in it is of {last:{EXACTLY}}.")
        file = places.backups / f"moment-{reached:{retention.MOMENT}}.dump"
        backup.dump(there, file)
        return file
    finally:
        server.stop()


def _last_change(there: Locations) -> datetime.datetime | None:
    """Return when the last transaction that was replayed was committed."""
    said = _ask(there, "SELECT extract(epoch FROM pg_last_xact_replay_timestamp())")
    return _at(float(said)) if said else None


def _gap(there: Locations, base: Path, end: str, last: datetime.datetime) -> str:
    """Return what is missing of a log that was replayed as far as it goes, in a sentence, or "".

    It should go to `end`, or where that is "" into the newest segment that is kept.
    """
    kept = {file.name[:24]: file for file in base.parent.glob("[0-9A-F]*.gz")}
    newest = max(kept, default="", key=lambda name: name[8:])
    wanted = f"'{end}'::pg_lsn" if end else (
        "(SELECT '0/0'::pg_lsn + segment_number * pg_size_bytes(current_setting("
        f"'wal_segment_size')) FROM pg_split_walfile_name('{newest}'))"
    )  # fmt: skip
    if not newest or _ask(there, f"SELECT pg_last_wal_replay_lsn() >= {wanted}") == "t":
        return ""
    reached = _ask(there, "SELECT pg_walfile_name(pg_last_wal_replay_lsn())")[8:]
    later = [file.stat().st_mtime for name, file in kept.items() if name[8:] > reached]
    until = f" until about {_at(min(later)):{EXACTLY}}" if later else ""
    return (
        f"Nothing was replaced. A part of the log is missing: what was changed after "
        f"{last:{EXACTLY}}{until}. To go back to {last:{EXACTLY}} add --until-gap."
    )


def _at(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def _drop_old(folder: Path) -> None:
    """Drop what is too old or too much: bases, the log before them, and lost databases."""
    now = datetime.datetime.now(datetime.UTC)
    bases = sorted(folder.glob("base-2*.tar.gz"), key=_made)
    most = max(LEAST_BYTES, SHARE * shutil.disk_usage(folder).total)
    while len(bases) > 1:
        _drop_log(folder, before=bases[0])
        held = sum(map(_bytes_of, folder.iterdir()))
        # The second gives every moment of the week as soon as it is a week old itself.
        if now - _made(bases[1]) < KEPT_FOR and held < most:
            break
        bases.pop(0).unlink()
    _drop_log(folder, before=bases[0])
    for other in folder.parent.glob("*/"):
        newest = max(file.stat().st_mtime for file in [other, *other.iterdir()])
        if other != folder and now.timestamp() - newest > KEPT_AFTER_LOSS.total_seconds():
            shutil.rmtree(other, ignore_errors=True)


def _bytes_of(file: Path) -> int:
    """Return a file's size; 0 for one that PostgreSQL has just given its name."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _drop_log(folder: Path, *, before: Path) -> None:
    """Drop the segments before a base's first; the first eight digits are not of their order."""
    first = before.name.split(".")[1][8:]
    for file in folder.glob("[0-9A-F]*.gz"):
        if file.name[8:24] < first:
            file.unlink()


def _made(base: Path) -> datetime.datetime:
    text = base.name.removeprefix("base-").split(".")[0]
    return datetime.datetime.strptime(text, retention.MOMENT).replace(tzinfo=datetime.UTC)


def _ask(places: Locations, query: str) -> str:
    return backup.ask(places, NAME, query)
