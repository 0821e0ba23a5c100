"""Tables as CSV files: for spreadsheets of a language, or plain for programs."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.timezone import localtime

from league.base.domain.csv_text import FORMULA

Cell = str | int | float | Fraction | Decimal | date | datetime | Promise | None

_EXACT = Context(prec=28, rounding=ROUND_HALF_EVEN)


def to_csv(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    """Return the table as CSV for programs, which is the same in every language.

    It begins with a byte order mark so that spreadsheets read it as UTF-8. Text that a spreadsheet
    would run as a formula gets a leading apostrophe. Numbers have a decimal point and at most six
    decimals, times their offset.
    """
    return _written(header, rows, ",", ".", 6)


def to_sheet(header: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    """Return the table as CSV for spreadsheets that are set to the current language.

    Three decimals after a point would be thousands where a comma is meant: there are at most two.
    """
    point = str(get_format("DECIMAL_SEPARATOR"))
    return _written(header, local(rows), ";" if point == "," else ",", point, 2)


def with_offsets(
    header: Sequence[Cell], rows: Iterable[Sequence[Cell]]
) -> tuple[list[Cell], list[list[Cell]]]:
    """Return the table with a column beside each column of times: how far it is from UTC.

    Words are those of the language that is on now.
    """
    header, *kept = ([_worded(cell) for cell in row] for row in (header, *rows))
    times = {i for row in kept for i, cell in enumerate(row) if isinstance(cell, datetime)}

    def beside(row: Sequence[Cell], *, is_header: bool = False) -> list[Cell]:
        found: list[Cell] = []
        for i, cell in enumerate(row):
            found.append(cell)
            if i in times:
                found.append("UTC" if is_header else _offset(cell))
        return found

    return beside(header, is_header=True), [beside(row) for row in kept]


def _worded(cell: Cell) -> Cell:
    return str(cell) if isinstance(cell, Promise) else cell


def _offset(cell: Cell) -> str | None:
    return f"UTC{localtime(cell).isoformat()[-6:]}" if isinstance(cell, datetime) else None


def local(rows: Iterable[Sequence[Cell]]) -> Iterator[list[Cell]]:
    """Yield the rows with times on the current zone's clock, without seconds."""
    for row in rows:
        yield [
            f"{localtime(cell):%Y-%m-%d %H:%M}" if isinstance(cell, datetime) else cell
            for cell in row
        ]


def _written(
    header: Sequence[Cell], rows: Iterable[Sequence[Cell]], delimiter: str, point: str, most: int
) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    for row in (header, *rows):
        writer.writerow([_text(cell, point, most) for cell in row])
    return "\ufeff" + out.getvalue()


def _text(cell: Cell, point: str, most: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, Fraction):
        cell = _EXACT.divide(Decimal(cell.numerator), Decimal(cell.denominator))
    elif isinstance(cell, float):
        cell = Decimal(str(cell))
    if isinstance(cell, Decimal):
        text = f"{cell:.{most}f}"
        return (text.rstrip("0").rstrip(".") if "." in text else text).replace(".", point)
    return defused(str(cell))


def defused(text: str) -> str:
    """Return the text, with a leading apostrophe if a spreadsheet could run it as a formula.

    Text that has such an apostrophe itself gets another one, which `csv_text.plain` removes.
    """
    return f"'{text}" if text.lstrip(" '").startswith(FORMULA) or text[:1] in FORMULA else text
