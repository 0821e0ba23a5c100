"""Words that people show each other at a table: nothing hidden, turned around or piled up."""

from __future__ import annotations

import unicodedata

MOST_MARKS = 2
"""So many accents may stand on a letter; Vietnamese needs two."""


def plain(text: str, most: int) -> str:
    """Return the text in NFC with single spaces, cut to `most` characters.

    Signs that nobody sees are left out, those that turn the direction of writing among them, and
    accents beyond the second on one letter.
    """
    shown, marks = [], 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MOST_MARKS and (category[0] != "C" or char.isspace()):
            shown.append(char)
    return " ".join("".join(shown).split())[:most].strip()
