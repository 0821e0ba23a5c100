"""Tables as text, as spreadsheets save them: any usual encoding and separator, no formulas."""

from __future__ import annotations

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
ENCODINGS = ("", "cp1258", "cp1252")
"""What a reader may choose: "" is UTF-8 or UTF-16; the others cannot be told from each other."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""A spreadsheet takes a cell that begins with one of these for a formula, also behind spaces."""

Row = dict[str, str]


class LineProblem(NamedTuple):
    """What is wrong in a line (0: in the file as a whole), as a template with its values."""

    line: int
    template: str
    params: Mapping[str, Any]


class LineError(Exception):
    """Something in a line that cannot be taken, as a template with its values."""

    def __init__(self, template: str, **params: Any) -> None:
        super().__init__(template)
        self.template, self.params = template, params


def read_text(data: bytes, encoding: str = "") -> str:
    """Return the text of a file in NFC; ValueError with a template if it cannot be read."""
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
    """Which form of Unicode: UTF-16 has a mark or, in every second place, mostly zeros."""
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
    """Return the lines below the head by column, numbered, and what is wrong with the whole.

    Commas, semicolons and tabs separate cells alike. `wanted` are columns that must be there, with
    other names that they may have.
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
    """Return the cell as text; Wrong for what a spreadsheet would run.

    An apostrophe before such a cell says that it is text, and goes.
    """
    if cell[:1] == "'" and cell[1:2] in FORMULA:
        return cell[1:]
    if cell[:1] in FORMULA and cell:
        raise LineError(
            _("“%(text)s” is a formula. Enter plain text, or put an apostrophe in front."),
            text=cell[:20],
        )
    return cell
