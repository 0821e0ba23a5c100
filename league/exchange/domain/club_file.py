"""Parser of untrusted club archives, row by row, so that memory use is bounded.

An archive is a ZIP file with one JSON text. At most one value of `MOST_VALUE` characters and about
`MOST_ITEMS` objects are in memory at a time. Run as a script in the jail, this module reads a file
from standard input and writes its values to standard output, one per line.
"""

import codecs
import io
import json
import sys
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

FILE = "club.json"
MOST_BYTES = 200_000_000
MOST_VALUE = 4_000_000
MOST_ITEMS = 400_000
MOST_LINE = 6 * MOST_VALUE + 10_000
"""Maximum length of an output line: JSON may write one character as six."""
TOO_LARGE, WRONG = b"too large", b"wrong"
MOST_ROWS = 1_000_000
MOST_NAMES = 100
MOST_ENTRIES = 16
_PIECE = 256_000
_ENTRY = b"PK\x01\x02"  # Signature of an entry in a ZIP file's directory.
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Other methods may use any amount of memory.

Row = dict[str, Any]


class ClubFileError(Exception):
    """The file is not an archive that this program wrote."""


class TooLargeError(ClubFileError):
    """The file exceeds a limit on what is read."""


class ArchiveValue(NamedTuple):
    """A top-level value of the archive, or a row of one of its tables."""

    name: str
    value: Any
    size: int = 0
    is_row: bool = False


def parts(data: bytes) -> Iterator[ArchiveValue]:
    """Yield the archive's values in file order, a table's rows one by one."""
    try:
        if data.count(_ENTRY) > MOST_ENTRIES:
            raise ClubFileError
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entry = packed.getinfo(FILE)
            if entry.compress_type not in _PLAIN:
                raise ClubFileError
            if entry.file_size > MOST_BYTES:
                raise TooLargeError
            with packed.open(entry) as file:
                yield from _Text(file).parts()
    except (
        zipfile.BadZipFile,
        zlib.error,
        OSError,
        LookupError,
        ValueError,
        RuntimeError,
    ) as error:
        raise ClubFileError from error


class _Text:
    """An incremental parser that keeps only a few pieces of the JSON text in memory."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._json = json.JSONDecoder()
        self._text, self._at = "", 0
        self._came, self._rows = 0, 0
        self._size = 0
        self._over = False

    def parts(self) -> Iterator[ArchiveValue]:
        for name in self._members():
            if name == "tables":
                yield ArchiveValue(name, {})
                yield from self._tables()
            else:
                yield ArchiveValue(name, self._value())
        if self._next():
            raise ClubFileError

    def _tables(self) -> Iterator[ArchiveValue]:
        for table in self._members():
            for row in self._items():
                if not isinstance(row, dict):
                    raise ClubFileError
                self._rows += 1
                if self._rows > MOST_ROWS:
                    raise TooLargeError
                yield ArchiveValue(table, row, self._size, is_row=True)

    def _members(self) -> Iterator[str]:
        """Yield an object's names; the caller must read each value before the next name."""
        seen: set[str] = set()
        self._take("{")
        while self._next() != "}":
            if seen:
                self._take(",")
            name = self._value()
            if not isinstance(name, str) or name in seen or len(seen) >= MOST_NAMES:
                raise ClubFileError
            seen.add(name)
            self._take(":")
            yield name
        self._at += 1

    def _items(self) -> Iterator[Any]:
        self._take("[")
        first = True
        while self._next() != "]":
            if not first:
                self._take(",")
            first = False
            yield self._value()
        self._at += 1

    def _take(self, sign: str) -> None:
        if self._next() != sign:
            raise ClubFileError
        self._at += 1

    def _next(self) -> str:
        """Return the next non-space character without consuming it; "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(_PIECE):
                return ""

    def _value(self) -> Any:
        """Return the next value; parse again with more text if a piece ends inside it."""
        self._next()
        while True:
            if len(self._text) - self._at > _PIECE:  # Count items before any is built.
                count = sum(self._text.count(sign, self._at) for sign in ",[{")
                if count > MOST_ITEMS:
                    raise TooLargeError
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except ValueError:
                end = len(self._text)
            # A number at the very end may continue in the next piece.
            if end < len(self._text):
                self._size, self._at = end - self._at, end
                return value
            length = len(self._text) - self._at
            if length > MOST_VALUE:
                raise TooLargeError
            if not self._more(max(_PIECE, length)):
                raise ClubFileError

    def _more(self, size: int) -> bool:
        """Read the next piece and drop the consumed text; return False at the end."""
        if self._over:
            return False
        found = self._file.read(size)
        self._came += len(found)
        if self._came > MOST_BYTES:
            raise TooLargeError
        self._over = not found
        self._text = self._text[self._at :] + self._decode(found, final=self._over)
        self._at = 0
        return not self._over


def main() -> None:
    """Write the values of the file on standard input, one per line, then any error and `end`."""
    out = sys.stdout.buffer
    try:
        for part in parts(sys.stdin.buffer.read()):
            out.write(json.dumps(part, separators=(",", ":")).encode() + b"\n")
    except TooLargeError:
        out.write(TOO_LARGE + b"\n")
    except (ClubFileError, RecursionError):
        out.write(WRONG + b"\n")
    out.write(b"end\n")
    out.flush()


if __name__ == "__main__":
    main()
