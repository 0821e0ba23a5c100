"""Words that people show each other at a table: nothing hidden, turned around or piled up."""

from __future__ import annotations

import unicodedata

MOST_MARKS = 2
"""So many accents may stand on a letter; Vietnamese needs two."""


# Letters of other alphabets, and the Latin ones that they look like.
_TWINS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝӏαβεικνορτυχωıłøɡ",
    "abekmhopctyxijshdqwlabeiknoptuxwilog",
)


def shape(text: str) -> str:
    """Return the text as it looks: the same for An with a Latin and with a Cyrillic A."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_TWINS)


def bare_shape(text: str) -> str:
    """Return the shape of the letters without accents, and of figures."""
    letters = unicodedata.normalize("NFKD", shape(text)).replace("đ", "d")
    bare = (c for c in letters if unicodedata.category(c)[0] in "LNS" or c.isspace())
    return " ".join("".join(bare).split())


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
