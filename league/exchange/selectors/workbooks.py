"""Tables as workbooks (.xlsx), out and in."""

from __future__ import annotations

import csv
import io
import itertools
import re
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext_noop

from league.exchange.selectors.exports import Cell, defused

MOST_ROWS = 1_000_000
"""So many lines a sheet has room for."""
MOST_LINES, MOST_COLUMNS = 20_000, 60
MOST_UNPACKED = 30_000_000
TOO_LARGE = gettext_noop("The file is larger than 1 MB. Split it into smaller files.")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def to_workbook(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return the table as a workbook; text stays text, so that no program runs it."""
    from openpyxl import Workbook  # A tenth of a second that only such files need.
    from openpyxl.cell import WriteOnlyCell

    def cell(value: Cell) -> Any:
        plain = _plain(value)
        found = WriteOnlyCell(sheet, plain)
        if isinstance(plain, str):
            found.data_type = "s"  # Also where it begins like a formula.
        return found

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.freeze_panes = "A2"
    for row in itertools.chain([header], itertools.islice(rows, MOST_ROWS)):
        sheet.append([cell(value) for value in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _plain(value: Cell) -> str | int | float | date | None:
    if isinstance(value, Fraction | Decimal):
        return round(float(value), 6)
    if isinstance(value, datetime):
        return localtime(value).replace(tzinfo=None) if value.tzinfo else value
    if value is None or isinstance(value, int | float | date):
        return value
    return _CONTROL.sub("", str(value))


def is_workbook(read: bytes) -> bool:
    """Tell whether these bytes begin like a workbook."""
    return read.startswith(b"PK\x03\x04")


def to_text(read: bytes) -> str:
    """Return a workbook's first sheet as CSV; ValueError for what is none, or is too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(read)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise ValueError(TOO_LARGE)
        rows = _rows(read)
    except (zipfile.BadZipFile, KeyError, SyntaxError, TypeError, IndexError, OSError) as error:
        message = gettext_noop("This Excel file cannot be read. Save it as CSV.")
        raise ValueError(message) from error
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def _rows(read: bytes) -> list[list[str]]:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(io.BytesIO(read), read_only=True, data_only=True)
    except InvalidFileException as error:
        raise zipfile.BadZipFile from error
    sheet = book.worksheets[0]
    found = sheet.iter_rows(max_row=MOST_LINES + 1, max_col=MOST_COLUMNS, values_only=True)
    rows = [[_told(value) for value in row] for row in found]
    if len(rows) > MOST_LINES:
        raise ValueError(TOO_LARGE)
    return [_without_empty_end(row) for row in rows if any(row)]


def _told(value: Any) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.hour == value.minute == 0 else str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else defused(str(value))


def _without_empty_end(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row
