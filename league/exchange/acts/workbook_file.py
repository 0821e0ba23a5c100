"""Parser of untrusted workbooks (.xlsx) as rows of text.

Run as a script in the jail, with openpyxl's folder as its argument, this module reads a workbook
from standard input and writes its rows to standard output, one per line.
"""

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
"""Maximum length of an output line: JSON may write one character as six."""
TOO_LARGE, WRONG = b"too large", b"wrong"


class WorkbookError(Exception):
    """The file is not a readable workbook."""


class OversizedWorkbookError(WorkbookError):
    """The workbook exceeds a limit on what is read."""


def rows(read: bytes) -> Iterator[list[str]]:
    """Yield the first sheet's non-empty rows, without trailing empty cells."""
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
    # openpyxl may raise anything on untrusted XML.
    except Exception as error:
        raise WorkbookError from error


def _all_rows(read: bytes) -> Iterator[list[str]]:
    from openpyxl import load_workbook  # Imported late: it takes a tenth of a second.

    book = load_workbook(io.BytesIO(read), read_only=True, data_only=True)
    sheet = book.worksheets[0]
    found = sheet.iter_rows(max_row=MOST_LINES + 1, max_col=MOST_COLUMNS, values_only=True)
    for row in found:
        yield [_text(value) for value in row]


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.hour == value.minute == 0 else str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def main(packages: str) -> None:
    """Write the rows of the workbook on standard input, one per line, then any error and `end`."""
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
