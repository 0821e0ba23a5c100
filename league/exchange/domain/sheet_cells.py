"""Cells of a club's own sheet: days, amounts, places and names as people write them."""

import datetime
import re
import unicodedata
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from league.base.domain.amounts import both_readings
from league.base.domain.names import fold, without_phone

LAST = 99
"""The place of `bét`: whoever is last, however many play."""
PLACE_WORDS = {
    "nhat": 1, "nhi": 2, "ba": 3, "tu": 4, "bon": 4, "nam": 5, "sau": 6, "bay": 7, "tam": 8,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    "5th": 5, "6th": 6, "7th": 7, "8th": 8, "bet": LAST, "chot": LAST, "last": LAST, "cuoi": LAST,
}  # fmt: skip
_WEEKDAY = r"(?:thứ \w+|chủ nhật|cn|t[2-7]|ngày|đêm|buổi|mon|tue|wed|thu|fri|sat|sun)\w*[ ,.:]*"
_DAY_FIRST = re.compile(r"(\d{1,2})\s?[/.\-]\s?(\d{1,2})(?:\s?[/.\-]\s?(\d{4}|\d{2}))?(?![\d/])")
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?$")
_TIME = re.compile(r"\s+\d{1,2}(?::\d\d|h\d*)(?::\d\d)?$")
_SUFFIXES = {"k": 1_000, "ng": 1_000, "nghin": 1_000, "tr": 1_000_000, "trieu": 1_000_000,
             "d": 1, "dong": 1, "vnd": 1, "": 1}  # fmt: skip
_AMOUNT = re.compile(r"(\(?)([+\-]?)\s?(\d[\d., ]*)\s?([^\W\d]*)\s?(\)?)$")
_SIGNS = re.compile(r"[$€£¥₫₩]")
_GROUPS = re.compile(r"[1-9]\d{0,2}([., ])\d{3}(?:\1\d{3})*$")
_SERIALS = range(32_874, 65_000)
"""Days since 1900 as spreadsheets count them, from 1990 on."""
_NOTE = re.compile(r"(?P<name>.*?\S)\s*(?:\((?P<in>[^)]*)\)|\s[-–—]\s+(?P<behind>.+))\s*$")


class WrittenDay(NamedTuple):
    """A day as it is written: two numbers in their order, perhaps with a year before or behind."""

    first: int
    second: int
    year: int | None = None
    is_iso: bool = False


def word(cell: str) -> str:
    """Return the cell's words without marks, case and punctuation."""
    return fold(re.sub(r"[_.:;/#*]+", " ", cell))


def day_of(cell: str, *, with_text: bool = False) -> WrittenDay | None:
    """Return the day that a cell writes, or None; with `with_text` other words may stand around."""
    text = unicodedata.normalize("NFC", cell).strip().strip("[]'")
    if text.isdecimal() and int(text) in _SERIALS:
        day = datetime.date(1899, 12, 30) + datetime.timedelta(int(text))
        return WrittenDay(day.day, day.month, day.year, is_iso=True)
    if found := _YEAR_FIRST.match(text):
        return WrittenDay(int(found[3]), int(found[2]), int(found[1]), is_iso=True)
    bare = _TIME.sub("", re.sub(rf"^{_WEEKDAY}", "", text, flags=re.IGNORECASE))
    found = _DAY_FIRST.search(bare) if with_text else _DAY_FIRST.fullmatch(bare)
    if found is None:
        return None
    one, two, written = found.groups()
    year = int(written) if written else None
    return WrittenDay(int(one), int(two), year + 2000 if year is not None and year < 100 else year)


_DECIMAL = re.compile(r"[+\-(]*\d+[.,](?:\d{1,2}|\d{4,})\D*|[+\-(]*0[.,]\d+\D*")


def is_decimal(cell: str) -> bool:
    """Return whether an amount can only be read with decimals."""
    return _DECIMAL.fullmatch(_signed(cell)) is not None


def amount_of(cell: str, *, grouped: bool = True) -> Decimal | None:
    """Return the amount that a cell writes, or None; `grouped` decides on `both_readings`.

    >>> [str(amount_of(text)) for text in ("20k", "20.000", "1,5", "−10", "($10)", "+20", "An")]
    ['20000', '20000', '1.5', '-10', '-10', '20', 'None']
    """
    found = _AMOUNT.match(_signed(cell))
    if found is None or bool(found[1]) != bool(found[5]):
        return None
    scale = _SUFFIXES.get(fold(found[4]))
    digits = found[3].strip()
    if scale is None:
        return None
    if _GROUPS.match(digits) and (grouped or not both_readings(digits)):
        digits = re.sub(r"\D", "", digits)
    try:
        size = Decimal(digits.replace(" ", "").replace(",", ".")) * scale
    except InvalidOperation:
        return None
    return -size if found[1] or found[2] == "-" else size


def _signed(cell: str) -> str:
    bare = _SIGNS.sub("", unicodedata.normalize("NFKC", cell)).strip()
    return bare.replace("−", "-").replace("–", "-")


def place_of(cell: str) -> int | None:
    """Return the place that a cell writes in figures or as a word, or None."""
    bare = word(cell).removeprefix("hang ").removeprefix("thu ")
    if bare in PLACE_WORDS:
        return PLACE_WORDS[bare]
    return (
        int(bare) if bare.isdecimal() and len(bare) == 1 and bare != "0" and bare != "9" else None
    )


def is_phone(cell: str) -> bool:
    """Return whether a cell has nothing but a telephone number."""
    bare = cell.strip()
    is_short = bare.isdecimal() and len(bare) in (9, 10, 11) and bare[0] in "0389"
    return is_short or bool(bare and not without_phone(bare))


def name_and_note(cell: str) -> tuple[str, str]:
    """Return a name and the note behind it: in brackets, or after a dash with spaces."""
    found = _NOTE.match(cell)
    return (
        (found["name"], (found["in"] or found["behind"]).strip()) if found else (cell.strip(), "")
    )


def looks_like_name(cell: str) -> bool:
    """Return whether the cell could name a person: letters, and neither a number nor a day."""
    return (
        any(c.isalpha() for c in cell)
        and len(cell) <= 60
        and amount_of(cell) is None
        and day_of(cell) is None
    )
