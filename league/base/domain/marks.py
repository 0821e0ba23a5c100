"""Heaps of accents, which take normalising a time that grows with their square."""

from __future__ import annotations

import unicodedata

STEP = 64
"""A heap of twice as many is found wherever it begins; a letter needs two."""


def has_heap_of_marks(text: str) -> bool:
    """Return whether so many accents follow each other that normalising the text is dear."""
    if text.isascii():
        return False
    return any(
        _is_mark(text[at]) and all(map(_is_mark, text[at : at + STEP]))
        for at in range(0, len(text) - STEP + 1, STEP)
    )


def _is_mark(char: str) -> bool:
    # Some signs are no accents themselves and are taken apart into nothing else.
    return unicodedata.combining(unicodedata.normalize("NFKD", char)[0]) > 0
