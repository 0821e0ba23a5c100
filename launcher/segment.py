"""``segment.py keep FILE FOLDER NOTE`` and ``segment.py fetch NAME TARGET FOLDER...``.

PostgreSQL runs this for each piece of its log, called a segment: `keep` when it has written one
(archive_command), `fetch` when it needs one again (restore_command). A kept segment is compressed,
and encrypted where TIENLEN_BACKUP_KEY is set. It uses the standard library alone unless there is a
key: it runs every minute, also on a slow machine.
"""

import gzip
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType

KEY = "TIENLEN_BACKUP_KEY"
SEALED = b"TIENLEN1"
MOST_WAITING = 1 << 30
"""Bytes of the log that may wait for a folder that is away."""


def keep(file: Path, folder: Path, note: Path) -> int:
    """Copy a segment to the folder; return 1 to be asked again.

    Where waiting would fill the disk the segment is given up and the note removed, which says that
    the log is without a gap: a new base is saved then.
    """
    unfinished = folder / f"{file.name}.part"
    try:
        with unfinished.open("wb") as output:
            os.fchmod(output.fileno(), 0o600)
            output.write(closed(file.read_bytes()))
        finish(unfinished, folder / f"{file.name}.gz")
    except OSError as error:
        print(f"{folder} takes no log: {error.strerror}.", file=sys.stderr)
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        if not is_too_much(file, folder):
            return 1
        note.unlink(missing_ok=True)
    return 0


def finish(unfinished: Path, file: Path) -> None:
    """Give a written file its name once a power cut cannot shorten it any more."""
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    unfinished.rename(file)
    with suppress(OSError):  # Some shares have no such call for a folder.
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def fetch(name: str, target: Path, folders: list[Path]) -> int:
    """Write a segment from the first folder that has it; return 1 if none does."""
    for folder in folders:
        for file in (folder / f"{name}.gz", folder / name):
            with suppress(FileNotFoundError):
                target.write_bytes(opened(file))
                return 0
    return 1


def is_too_much(file: Path, folder: Path) -> bool:
    """Return whether segments wait in vain: too many, or for room on the disk that they fill."""
    waiting = len(list((file.parent / "archive_status").glob("*.ready"))) * file.stat().st_size
    with suppress(OSError):
        disk = os.statvfs(folder)
        is_ours = folder.stat().st_dev == file.stat().st_dev
        return waiting > MOST_WAITING or (is_ours and disk.f_bavail * disk.f_frsize < waiting)
    return waiting > MOST_WAITING


def closed(content: bytes) -> bytes:
    packed = gzip.compress(content, 1)
    if key := os.environ.get(KEY, "").strip():
        sealed = io.BytesIO()
        _sealing().seal(io.BytesIO(packed), sealed, key)
        return sealed.getvalue()
    return packed


def opened(file: Path) -> bytes:
    if file.suffix != ".gz":
        return file.read_bytes()
    packed = file.read_bytes()
    if packed.startswith(SEALED):
        packed = b"".join(_sealing().content(io.BytesIO(packed), file))
    return gzip.decompress(packed)


def _sealing() -> ModuleType:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from launcher import sealing

    return sealing


if __name__ == "__main__":
    act, *given = sys.argv[1:]
    if act == "keep":
        sys.exit(keep(*map(Path, given)))
    sys.exit(fetch(given[0], Path(given[1]), list(map(Path, given[2:]))))
