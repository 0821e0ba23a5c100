"""Whole numbers that forms and addresses send, and numbers as pages show them."""

from django.utils.formats import number_format


def whole_number(text: str | None, digits: int = 17) -> int | None:
    """Return the number that `text` spells in at most `digits` ASCII digits; None for other text.

    Seventeen digits fit every key of the database. Without a bound, thousands of digits would raise
    an error of their own.
    """
    if text is None or len(text) > digits or not (text.isascii() and text.isdecimal()):
        return None
    return int(text)


def rounded(value: float, places: int) -> str:
    """Return a number with so many decimals in the reader's notation.

    `number_format` alone cuts the others off: 6.67 would read 6.6. Nothing is shown as -0.0.
    """
    return number_format(round(value, places) + 0, places)
