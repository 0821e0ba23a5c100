"""The clean form of typed or pasted names."""

import re
import unicodedata

from league.base.domain.marks import has_heap_of_marks
from tables.base.words import has_address, without_fillers

from .problems import (
    AddressInName,
    ControlCharacter,
    EmptyName,
    LongName,
    StackedMarks,
)

LONGEST = 60

_SPACES = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029 \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_REFUSED = {"Cc", "Cs", "Co", "Cn"}
_MOST_MARKS = 2
_PHONE = re.compile(r"(?:\+?84|0)[\s.\-]?\d(?:[\s.\-]?\d){7,9}(?!\d)")


def clean_name(text: str, most: int = LONGEST) -> str:
    """Return the name in NFC with single spaces, 1 to `most` characters.

    Invisible characters, as pasted from a chat or a word processor, are removed. Raises
    `EmptyName`, `LongName`, `ControlCharacter` or `StackedMarks`.
    """
    if has_heap_of_marks(text):
        raise StackedMarks
    visible = "".join(c for c in without_fillers(text) if unicodedata.category(c) != "Cf")
    name = unicodedata.normalize("NFC", _SPACES.sub(" ", visible).strip(" "))
    if len(name) > most:
        raise LongName(length=len(name), most=most)
    categories = [unicodedata.category(c) for c in name]
    for char, category in zip(name, categories, strict=True):
        if category in _REFUSED:
            raise ControlCharacter(code=f"U+{ord(char):04X}")
    if not any(category[0] in "LNS" for category in categories):
        raise EmptyName
    if _longest_run_of_marks(categories) > _MOST_MARKS:
        raise StackedMarks
    return name


def refuse_address(name: str) -> None:
    """Raise `AddressInName` for a clean name with a web or email address.

    Names of before 1.2 may have one and stay.
    """
    if has_address(name):
        raise AddressInName(name=name)


def without_phone(text: str) -> str:
    """Return the text without telephone numbers, and without the signs that led to one."""
    return _PHONE.sub("", text).strip(" -–—:,;()\t") if _PHONE.search(text) else text.strip()


def identity(name: str) -> str:
    """Return the case-folded name; names with an equal result are one person."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def fold(name: str) -> str:
    """Return the name without accents; an equal result, as for `Ân` and `An`, may be one person."""
    letters = unicodedata.normalize("NFD", name).casefold().replace("đ", "d")
    bare = (c for c in letters if unicodedata.category(c)[0] in "LNS" or c.isspace())
    return " ".join("".join(bare).split())


def is_meant(name: str, text: str) -> bool:
    """Return whether the name contains every word of the text, accents ignored.

    A text without words matches every name.
    """
    words = fold(text).split()
    folded = fold(name) if words else ""
    return all(word in folded for word in words)


def _longest_run_of_marks(categories: list[str]) -> int:
    longest = run = 0
    for category in categories:
        run = run + 1 if category[0] == "M" else 0
        longest = max(longest, run)
    return longest
