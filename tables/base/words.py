"""Texts that people show each other at a table, without hidden, reversing or stacked characters."""

import unicodedata

MOST_MARKS = 2
"""Most accents on a letter; Vietnamese needs two."""


# Letters of other alphabets, and their Latin lookalikes.
_TWINS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝӏαβεικνορτυχωıłøɡ",
    "abekmhopctyxijshdqwlabeiknoptuxwilog",
)


def shape(text: str) -> str:
    """Return the text's visual shape: Latin and Cyrillic lookalikes come out the same."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_TWINS)


def bare_shape(text: str) -> str:
    """Return the shape without accents and punctuation."""
    letters = unicodedata.normalize("NFKD", shape(text)).replace("đ", "d")
    bare = (c for c in letters if unicodedata.category(c)[0] in "LNS" or c.isspace())
    return " ".join("".join(bare).split())


def plain(text: str, most: int) -> str:
    """Return the text in NFC with single spaces, cut to `most` characters.

    Invisible characters, including those that reverse the writing direction, are removed, and so
    are accents beyond the second on one letter.
    """
    visible, marks = [], 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MOST_MARKS and (category[0] != "C" or char.isspace()):
            visible.append(char)
    return " ".join("".join(visible).split())[:most].strip()
