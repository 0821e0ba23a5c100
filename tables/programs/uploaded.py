"""Uploaded bots: a ZIP file's code, played from a folder that lasts for one block of games.

They are untrusted, and so always jailed.
"""

import hashlib
import io
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tables.programs import hosted
from tables.programs.process import Limits, Process
from tables.programs.program import Program

MOST_BYTES = 256 * 1024
MOST_UNPACKED = 2 * 1024 * 1024
MOST_FILES = 100
MOST_NAME = 200
PYTHON, NODE = "python", "node"
ENTRIES = {"bot.py": PYTHON, "bot.js": NODE}
"""The entry files at the top of the ZIP file, `class Bot` or a line program, by language."""
POINT = "entry-point.txt"
"""The file that names another entry class, as `module:Class`."""
_POINT = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):[^\W\d]\w*")
LIMITS = Limits(seconds=1.0, cpu_seconds=60, memory_mb=512)


_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError,
    ValueError,
)  # fmt: skip


class ZipError(ValueError):
    """Raised if a file is no bot; `reason` is a key of one word."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def inspect(body: bytes) -> tuple[str, str]:
    """Return the language of the bot in a ZIP file, and a digest of all its files.

    Raises `ZipError` for an invalid file.
    """
    if len(body) > MOST_BYTES:
        raise ZipError("large")
    files = sorted(_files(body).items())
    each = "".join(f"{hashlib.sha256(content).hexdigest()} {name}\n" for name, content in files)
    names = [name for name, _content in files]
    language = PYTHON if POINT in names else next(ENTRIES[n] for n in names if n in ENTRIES)
    return language, hashlib.sha256(each.encode()).hexdigest()


def with_point(body: bytes, point: str) -> bytes:
    """Return the ZIP file with the entry point added; raise `ZipError` as `inspect` does."""
    if POINT in _files(body, needs_entry=False):
        raise ZipError("point")
    whole = io.BytesIO(body)
    with zipfile.ZipFile(whole, "a") as archive:
        archive.writestr(POINT, point)
    return whole.getvalue()


def _files(body: bytes, *, needs_entry: bool = True) -> dict[str, bytes]:
    """Return the files of a ZIP file by path, within the limits; raise `ZipError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MOST_FILES:
                raise ZipError("large")
            if any(not _is_plain(member) for member in members):
                raise ZipError("path")
            found: dict[str, bytes] = {}
            left = MOST_UNPACKED
            for member in members:
                with archive.open(member) as opened:  # The size in its header may be a lie.
                    found[member.filename] = opened.read(left + 1)
                left -= len(found[member.filename])
                if left < 0:
                    raise ZipError("large")
    except ZipError:
        raise
    except _UNREADABLE as error:
        raise ZipError("zip") from error
    if POINT in found:
        _check_point(found)
    elif needs_entry and not ENTRIES.keys() & found.keys():
        raise ZipError("entry")
    folders = {str(folder) for name in found for folder in PurePosixPath(name).parents}
    if folders & found.keys():
        raise ZipError("path")
    return found


def _check_point(found: Mapping[str, bytes]) -> None:
    """Raise `ZipError` if the entry point's module is no file of the ZIP file."""
    written = _POINT.fullmatch(_point_of(found[POINT]))
    module = written[1].replace(".", "/") if written else ""
    if not {f"{module}.py", f"{module}/__init__.py"} & found.keys():
        raise ZipError("point")


def _point_of(content: bytes) -> str:
    return content[:MOST_NAME].decode("utf-8", "replace").strip()


def _is_plain(member: zipfile.ZipInfo) -> bool:
    """Return whether the member is a plain file below the folder, not a link or device."""
    path, mode = PurePosixPath(member.filename), member.external_attr >> 16
    plain = not stat.S_IFMT(mode) or stat.S_ISREG(mode)
    written = len(member.filename) <= MOST_NAME and member.filename.isprintable()
    return plain and written and not path.is_absolute() and not {"..", "."} & set(path.parts)


def unpack(body: bytes, folder: Path) -> None:
    """Write the files of a ZIP file into a folder, readable by others."""
    folder.chmod(0o755)
    for name, content in _files(body).items():
        path = folder / name
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644)


@dataclass
class Uploaded(Program):
    """A program whose folder exists from its first question until its block ends."""

    body: Callable[[], bytes] = bytes
    language: str = PYTHON
    _is_unpacked: bool = False

    def take(self) -> Process:
        if not self._is_unpacked:
            self.folder = Path(tempfile.mkdtemp(prefix="tienlen-bot-"))
            self._is_unpacked = True
            unpack(self.body(), self.folder)
            if self.language == PYTHON:
                named = self.folder / POINT
                point = _point_of(named.read_bytes()) if named.exists() else "bot:Bot"
                self.command = hosted.command(point, [self.folder])
        return super().take()

    def rest(self) -> None:
        super().rest()
        if self._is_unpacked:
            self._is_unpacked = False
            shutil.rmtree(self.folder, ignore_errors=True)


def uploaded(name: str, version: int, language: str, body: Callable[[], bytes]) -> Uploaded:
    """Return the bot of uploaded code; `body` loads its ZIP file when play begins."""
    nowhere = Path(tempfile.gettempdir())
    if language == NODE:
        return Uploaded(name, (NODE, "bot.js"), nowhere, version, LIMITS, body=body, language=NODE)
    return Uploaded(
        name, (), nowhere, version, LIMITS, read=hosted.READ, question=hosted.question, body=body
    )
