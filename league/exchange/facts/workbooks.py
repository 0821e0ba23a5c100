"""Tables as workbooks (.xlsx)."""

import io
import itertools
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.timezone import localtime

from league.exchange.facts.exports import Cell

MOST_ROWS = 1_000_000
"""Maximum rows below the header."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def to_workbook(
    header: Sequence[Cell], rows: Iterable[Sequence[Cell]], name: str | None = None
) -> bytes:
    """Return the table as a workbook with a named sheet, in which text never becomes a formula.

    Columns are as wide as their heads and first cells.
    """
    from openpyxl import Workbook  # Imported late: it takes a tenth of a second.
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils import get_column_letter

    def cell(value: Cell) -> Any:
        plain = _plain(value)
        found = WriteOnlyCell(sheet, plain)
        if isinstance(plain, str):
            found.data_type = "s"  # Also for text that looks like a formula.
        return found

    book = Workbook(write_only=True)
    sheet = book.create_sheet(name and name[:31])
    sheet.freeze_panes = "A2"
    rest = itertools.islice(rows, MOST_ROWS)
    first = [header, *itertools.islice(rest, 20)]
    for at, column in enumerate(itertools.zip_longest(*first), start=1):
        widest = max(len(str(value or "")) for value in column)
        sheet.column_dimensions[get_column_letter(at)].width = min(max(widest + 2, 8), 40)
    for row in itertools.chain(first, rest):
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
    """Return whether the bytes begin with a workbook's (ZIP) signature."""
    return read.startswith(b"PK\x03\x04")
