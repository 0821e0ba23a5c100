"""The file of an archive, read row by row: what a stranger made it of never stands in memory whole.

An archive is a ZIP file with one JSON text. Of that text there is at most one value of `MOST_VALUE`
characters, and about `MOST_ITEMS` objects, at a time, whatever is inside. Run as a script this
reads a file on its standard input and says line by line what is in it: the jail has it so.
"""

from __future__ import annotations

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
"""Of what the script says: each sign may be written as six."""
TOO_LARGE, WRONG = b"too large", b"wrong"
MOST_ROWS = 1_000_000
MOST_NAMES = 100
MOST_ENTRIES = 16
_PIECE = 256_000
_ENTRY = b"PK\x01\x02"  # How each entry of a ZIP file's list begins.
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Other methods ask for memory as they like.

Row = dict[str, Any]


class ClubFileError(Exception):
    """The file is not one that this program has written."""


class TooLargeError(ClubFileError):
    """The file holds more than this program reads."""


class ArchiveValue(NamedTuple):
    """A value of the archive: of the top, or the row of a table."""

    name: str
    value: Any
    size: int = 0
    is_row: bool = False


def parts(data: bytes) -> Iterator[ArchiveValue]:
    """Yield the archive's values in the order of the file, a table's rows one by one."""
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
    """The JSON text, of which a few pieces are in memory."""

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
        """Yield the names of an object, each as soon as its value is what comes next."""
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
        """Return the next sign that is no space; "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(_PIECE):
                return ""

    def _value(self) -> Any:
        """Return the next value; one that a piece cuts is read again with more of the text."""
        self._next()
        while True:
            self._count_items()
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except ValueError:
                end = len(self._text)
            # Of a number that ends here the rest may come.
            if end < len(self._text):
                self._size, self._at = end - self._at, end
                return value
            length = len(self._text) - self._at
            if length > MOST_VALUE:
                raise TooLargeError
            if not self._more(max(_PIECE, length)):
                raise ClubFileError

    def _count_items(self) -> None:
        """Refuse what might be too many objects before any is made of it."""
        if len(self._text) - self._at > _PIECE:
            count = sum(self._text.count(sign, self._at) for sign in ",[{")
            if count > MOST_ITEMS:
                raise TooLargeError

    def _more(self, size: int) -> bool:
        """Read on, and forget what was read before; False at the end."""
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
    """Say what is in the file on standard input, one value in a line, and how that ended."""
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
