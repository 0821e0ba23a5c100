"""Heaps of accents, whose normalisation takes quadratic time."""

import unicodedata

STEP = 64
"""A run of twice this many accents is found wherever it begins; a letter needs only two."""


def has_heap_of_marks(text: str) -> bool:
    """Return whether the text has a run of accents that makes normalising expensive."""
    if text.isascii():
        return False
    return any(
        _is_mark(text[at]) and all(map(_is_mark, text[at : at + STEP]))
        for at in range(0, len(text) - STEP + 1, STEP)
    )


def _is_mark(char: str) -> bool:
    # Some characters are not accents themselves but decompose into accents.
    return unicodedata.combining(unicodedata.normalize("NFKD", char)[0]) > 0
