"""CSV as spreadsheets save it: any usual encoding and separator, no formulas."""

import csv
import io
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.rules.texts import mark as _
from league.base.domain.marks import has_heap_of_marks
from league.base.domain.names import StackedMarks

MOST_BYTES = 1_000_000
MOST_LINES = 50_000
MOST_PROBLEMS = 100

QUOTED = re.compile(r'"[^"]*"')
"""What stands in quotes, where no sign divides the line."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""Characters that make a spreadsheet read the cell as a formula, even after leading spaces."""
MEANT = ("=", "@", "\t", "\r", "\n")

_MARKED_WRONG = re.compile("(?<![aeiouyAEIOUY\u0302\u0306\u031b])[\u0300\u0301\u0303\u0309\u0323]")
"""A tone on what is no Vietnamese vowel."""


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


def read_text(data: bytes) -> str:
    """Return the text of a file in NFC; raise ValueError with a template if it is unreadable.

    What is not Unicode is Vietnamese Windows text if each of its marks stands on a letter that
    has it, and else Western European.
    """
    if len(data) > MOST_BYTES:
        raise ValueError(_("The file is larger than 1 MB. Split it into smaller files."))
    try:
        text = _decoded(data)
    except UnicodeDecodeError as error:
        raise ValueError(
            _("The letters of this file can't be read. Save it again as “CSV UTF-8”.")
        ) from error
    if has_heap_of_marks(text):
        raise ValueError(StackedMarks.template)
    return unicodedata.normalize("NFC", text)


def _decoded(data: bytes) -> str:
    try:
        return data.decode(_unicode(data))
    except UnicodeDecodeError:
        pass
    try:
        text = unicodedata.normalize("NFD", data.decode("cp1258"))
        if not _MARKED_WRONG.search(text):
            return text
    except UnicodeDecodeError:
        pass
    return data.decode("cp1252")


def _unicode(data: bytes) -> str:
    """Return the Unicode encoding: UTF-16 has a BOM, or mostly zeros in every second byte."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        half = data[start:1000:2]
        if half and 2 * half.count(0) > len(half):
            return name
    return "utf-8-sig"


def read_cells(text: str) -> list[list[str]]:
    """Return the cells of each line; ValueError with a template if they are unreadable.

    The separator is the tab, semicolon or comma that most lines have in equal number.
    """
    if text.count("\n") > MOST_LINES:
        raise ValueError(_("The file has more than 50,000 lines. Split it into smaller files."))
    text = text.replace("\0", "")
    if text[:4].lower() == "sep=":
        text = "\n" + text.partition("\n")[2]
    seen = [QUOTED.sub("", line) for line in text.split("\n", 50)[:50] if line.strip()]

    def regular(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in seen]
        most = max((counts.count(n) for n in counts if n), default=0)
        return most, counts[0] if counts else 0

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max("\t;,", key=regular))
    try:
        return [[cell.strip() for cell in row] for row in reader]
    except csv.Error as error:
        raise ValueError(_("This line is not valid CSV.")) from error


def plain(cell: str) -> str:
    """Return the cell as text; raise `LineError` if it was meant as a formula.

    An apostrophe before what a spreadsheet would run marks it as text, and is removed. Names may
    begin with signs that only some spreadsheets run: the bare "-Bình" is one.
    """
    if cell[:1] == "'" and cell.lstrip(" '")[:1] in FORMULA:
        return cell[1:]
    if cell.startswith(MEANT):
        raise LineError(
            _("“%(text)s” is a formula. Enter plain text, or put an apostrophe in front."),
            text=cell[:20],
        )
    return cell
