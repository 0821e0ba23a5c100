"""Whole numbers that forms and addresses send."""

from __future__ import annotations


def whole_number(text: str | None, digits: int = 17) -> int | None:
    """Return the number that `text` spells in at most so many plain digits, None for anything else.

    Seventeen digits fit every key of the database; without a bound a number of thousands of digits
    is an error of its own.
    """
    if text is None or len(text) > digits or not (text.isascii() and text.isdecimal()):
        return None
    return int(text)
