"""A stranger's workbook (.xlsx), read as rows of text.

Run as a script, with the folder of openpyxl, this reads a workbook on its standard input and says
its rows line by line: that is how the jail has it.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any

MOST_LINES, MOST_COLUMNS, MOST_SIGNS = 20_000, 60, 1_000_000
MOST_UNPACKED = 30_000_000
MOST_LINE = 6 * MOST_SIGNS + 10_000
"""Of what the script says: each sign may be written as six."""
TOO_LARGE, WRONG = b"too large", b"wrong"


class WorkbookError(Exception):
    """The file is no workbook that can be read."""


class OversizedWorkbookError(WorkbookError):
    """The workbook holds more than this program reads."""


def rows(read: bytes) -> Iterator[list[str]]:
    """Yield the rows of the first sheet that have anything, without what is empty at their ends."""
    signs = 0
    try:
        with zipfile.ZipFile(io.BytesIO(read)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise OversizedWorkbookError
        for number, row in enumerate(_all_rows(read)):
            signs += sum(map(len, row)) + len(row)
            if number >= MOST_LINES or signs > MOST_SIGNS:
                raise OversizedWorkbookError
            while row and not row[-1]:
                row.pop()
            if row:
                yield row
    except WorkbookError:
        raise
    # Whatever openpyxl stumbles over: it reads XML that anybody may have made.
    except Exception as error:
        raise WorkbookError from error


def _all_rows(read: bytes) -> Iterator[list[str]]:
    from openpyxl import load_workbook  # A tenth of a second that only such files need.

    book = load_workbook(io.BytesIO(read), read_only=True, data_only=True)
    sheet = book.worksheets[0]
    found = sheet.iter_rows(max_row=MOST_LINES + 1, max_col=MOST_COLUMNS, values_only=True)
    for row in found:
        yield [_told(value) for value in row]


def _told(value: Any) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.hour == value.minute == 0 else str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def main(packages: str) -> None:
    """Say what is in the workbook on standard input, one row in a line, and how that ended."""
    sys.path.append(packages)
    out = sys.stdout.buffer
    try:
        for row in rows(sys.stdin.buffer.read()):
            out.write(json.dumps(row).encode() + b"\n")
    except OversizedWorkbookError:
        out.write(TOO_LARGE + b"\n")
    except WorkbookError:
        out.write(WRONG + b"\n")
    out.write(b"end\n")
    out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
