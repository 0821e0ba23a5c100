"""Whole numbers that forms and addresses send."""


def whole_number(text: str | None, digits: int = 17) -> int | None:
    """Return the number that `text` spells in at most `digits` ASCII digits; None for other text.

    Seventeen digits fit every key of the database. Without a bound, thousands of digits would raise
    an error of their own.
    """
    if text is None or len(text) > digits or not (text.isascii() and text.isdecimal()):
        return None
    return int(text)
