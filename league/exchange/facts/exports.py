"""Tables as CSV files for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from django.utils.functional import Promise

from league.base.domain.csv_text import FORMULA

Cell = str | int | float | Fraction | Decimal | date | datetime | Promise | None

_EXACT = Context(prec=28, rounding=ROUND_HALF_EVEN)


def to_csv(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    """Return the table as CSV, with a byte order mark so that spreadsheets read it as UTF-8.

    Text that a spreadsheet would run as a formula gets a leading apostrophe. Numbers have a
    decimal point and at most six decimals.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_text(cell) for cell in header])
    writer.writerows([_text(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Fraction):
        return _number(_EXACT.divide(Decimal(cell.numerator), Decimal(cell.denominator)))
    if isinstance(cell, float):
        return _number(Decimal(str(cell)))
    if isinstance(cell, Decimal):
        return _number(cell)
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, int):
        return str(cell)
    return defused(str(cell))


def defused(text: str) -> str:
    """Return the text, with a leading apostrophe if a spreadsheet could run it as a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text[:1] in FORMULA else text


def _number(value: Decimal) -> str:
    text = f"{round(value, 6):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
