"""CSV as spreadsheets save it: any usual encoding and separator, no formulas."""

import csv
import io
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.rules.texts import mark as _
from league.base.domain.marks import has_heap_of_marks
from league.base.domain.names import StackedMarks

MOST_BYTES = 1_000_000
MOST_LINES = 50_000
MOST_PROBLEMS = 100

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""Characters that make a spreadsheet read the cell as a formula, even after leading spaces."""

Row = dict[str, str]


class LineProblem(NamedTuple):
    """A problem in a line (0: in the whole file), as a template with its values."""

    line: int
    template: str
    params: Mapping[str, Any]


class LineError(Exception):
    """An unacceptable value in a line, as a template with its values."""

    def __init__(self, template: str, **params: Any) -> None:
        super().__init__(template)
        self.template, self.params = template, params


def read_text(data: bytes, encoding: str = "") -> str:
    """Return the text of a file in NFC; raise ValueError with a template if it is unreadable."""
    if len(data) > MOST_BYTES:
        raise ValueError(_("The file is larger than 1 MB. Split it into smaller files."))
    try:
        text = data.decode(encoding or _unicode(data))
    except UnicodeDecodeError as error:
        raise ValueError(
            _(
                "The file doesn't use this encoding. Save it again as “CSV UTF-8”, or "
                "choose another encoding below and check that the names look right."
            )
        ) from error
    if has_heap_of_marks(text):
        raise ValueError(StackedMarks.template)
    return unicodedata.normalize("NFC", text)


def _unicode(data: bytes) -> str:
    """Return the Unicode encoding: UTF-16 has a BOM, or mostly zeros in every second byte."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = data[start:1000:2]
        if half and 2 * half.count(0) > len(half):
            return name
    return "utf-8-sig"


def read_rows(
    text: str, wanted: Mapping[str, Sequence[str]]
) -> tuple[list[tuple[int, Row]], list[LineProblem]]:
    """Return the numbered rows below the head, by column, and the problems of the whole file.

    The separator is a comma, a semicolon or a tab. `wanted` maps required columns to their
    alternative names.
    """
    if text.count("\n") > MOST_LINES:
        template = _("The file has more than 50,000 lines. Split it into smaller files.")
        return [], [LineProblem(0, template, {})]
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text.replace("\0", "")), delimiter=delimiter)
    try:
        lines = [(reader.line_num, row) for row in reader]
    except csv.Error:
        return [], [LineProblem(reader.line_num, _("This line is not valid CSV."), {})]
    names = {other: name for name, others in wanted.items() for other in others}
    heads = [cell.strip().lower() for cell in lines[0][1]] if lines else []
    head = [names.get(cell, cell) for cell in heads]
    missing = [name for name in wanted if name not in head]
    if missing:
        template = _("The first line must name the columns. Missing: %(names)s.")
        return [], [LineProblem(1, template, {"names": ", ".join(missing)})]
    return [
        (line, {name: cell.strip() for name, cell in zip(head, row, strict=False)})
        for line, row in lines[1:]
        if any(cell.strip() for cell in row)
    ], []


def plain(cell: str) -> str:
    """Return the cell as text; raise `LineError` if a spreadsheet would run it as a formula.

    An apostrophe before such a cell marks it as text, and is removed.
    """
    if cell[:1] == "'" and cell[1:2] in FORMULA:
        return cell[1:]
    if cell[:1] in FORMULA and cell:
        raise LineError(
            _("“%(text)s” is a formula. Enter plain text, or put an apostrophe in front."),
            text=cell[:20],
        )
    return cell
