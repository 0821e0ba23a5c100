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

MOST_LINES, MOST_COLUMNS, MOST_SIGNS, MOST_SHEETS = 25_000, 160, 2_000_000, 100
MOST_UNPACKED = 30_000_000
MOST_LINE = 6 * MOST_SIGNS + 10_000
"""Maximum length of an output line: JSON may write one character as six."""
BARE = "\0"
"""Precedes a formula without a value; no text of a workbook may hold this character."""
TOO_LARGE, WRONG = b"too large", b"wrong"


class WorkbookError(Exception):
    """The file is not a readable workbook."""


class OversizedWorkbookError(WorkbookError):
    """The workbook exceeds a limit on what is read."""


def rows(read: bytes) -> Iterator[list[str]]:
    """Yield each sheet's name, and behind it the cells of a row without trailing empty ones.

    Empty rows are kept, as a spreadsheet counts them, but for those at the end.
    """
    lines = signs = 0
    try:
        with zipfile.ZipFile(io.BytesIO(read)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise OversizedWorkbookError
            sheets = (part for part in packed.namelist() if part.startswith("xl/worksheets/"))
            with_formulas = any(b"<f" in packed.read(part) for part in sheets)
        for name, rows_of in _sheets(read, with_formulas):
            empty = 0
            for row in rows_of:
                while row and not row[-1]:
                    row.pop()
                if len(row) > MOST_COLUMNS:
                    raise OversizedWorkbookError
                signs += sum(map(len, row)) + len(row)
                lines += 1
                if lines > MOST_LINES or signs > MOST_SIGNS:
                    raise OversizedWorkbookError
                if not row:
                    empty += 1
                    continue
                yield from ([name] for _row in range(empty))
                empty = 0
                yield [name, *row]
    except WorkbookError:
        raise
    # openpyxl may raise anything on untrusted XML.
    except Exception as error:
        raise WorkbookError from error


def _sheets(read: bytes, with_formulas: bool) -> Iterator[tuple[str, Iterator[list[str]]]]:
    from openpyxl import load_workbook  # Imported late: it takes a tenth of a second.

    formulas = load_workbook(io.BytesIO(read), read_only=True)
    values = load_workbook(io.BytesIO(read), read_only=True, data_only=True)
    if len(values.worksheets) > MOST_SHEETS:
        raise OversizedWorkbookError
    for sheet in values.worksheets:
        beside = formulas[sheet.title] if with_formulas else None
        yield sheet.title, _rows_of(_cells(sheet), beside and _cells(beside))


def _cells(sheet: Any) -> Iterator[tuple[Any, ...]]:
    yield from sheet.iter_rows(max_row=MOST_LINES + 1, max_col=MOST_COLUMNS + 1)


def _rows_of(
    values: Iterator[tuple[Any, ...]], formulas: Iterator[tuple[Any, ...]] | None
) -> Iterator[list[str]]:
    if formulas is None:  # Then the file is read once.
        yield from ([_text(cell.value) for cell in row] for row in values)
        return
    for row, written in zip(values, formulas, strict=True):
        cells = zip(row, written, strict=True)
        yield [_text(cell.value) or _bare(cell, formula) for cell, formula in cells]


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.hour == value.minute == 0 else str(value)
    if isinstance(value, float):
        value = round(value, 6)  # Sums of tenths have tails that nobody has seen.
        return str(int(value)) if value.is_integer() else str(value)
    return "" if value is None else str(value)


def _bare(cell: Any, formula: Any) -> str:
    """Return the marked formula of a cell that has no value in the file, not even empty text."""
    if formula.data_type != "f" or cell.data_type == "str":
        return ""
    # A formula of several cells is an object.
    return f"{BARE}{getattr(formula.value, 'text', formula.value)}"


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
