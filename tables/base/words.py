"""Texts that people show each other at a table, without hidden, reversing or stacked characters."""

import re
import unicodedata

GONE = "—"
"""The name of whose name was removed; many are called so."""
MOST_MARKS = 2
"""Most accents on a letter; Vietnamese needs two."""


# Letters of other alphabets, and their Latin lookalikes.
_TWINS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝӏαβεικνορτυχωıłøɡꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ",
    "abekmhopctyxijshdqwlabeiknoptuxwilogabcdefghijklmnoprstuvwxyz",
)
_NOTHING = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0"))
_HOUSE = (
    *("Ban tổ chức", "Quản trị viên", "Người quản trị", "Hệ thống", "Máy chủ", "Tiến Lên League"),
    *("Admin", "Administrator", "Moderator", "Organiser", "Organisers", "System", "Server"),
)


def shape(text: str) -> str:
    """Return the text's visual shape: Latin and Cyrillic lookalikes come out the same."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_TWINS)


def bare_shape(text: str) -> str:
    """Return the shape without accents and punctuation."""
    return _only("LNS", text)


def name_shape(name: str) -> str:
    """Return the shape of a name, without signs too, unless it has nothing else."""
    return _only("LN", name) or bare_shape(name)


def _only(kinds: str, text: str) -> str:
    letters = unicodedata.normalize("NFKD", shape(text)).replace("đ", "d")
    bare = (c for c in letters if unicodedata.category(c)[0] in kinds or c.isspace())
    return " ".join("".join(bare).split())


_ADDRESS = re.compile(r"://|www\.|@")
_HOUSE_SHAPES = {name_shape(name) for name in _HOUSE}


def has_address(name: str) -> bool:
    """Return whether a name contains a web or email address."""
    return _ADDRESS.search(unicodedata.normalize("NFKC", name).casefold()) is not None


def is_house(name: str) -> bool:
    """Return whether a name looks like the house's own or a bot's, and so is nobody else's."""
    return name_shape(name) in _HOUSE_SHAPES or shape(name).replace(" ", "").endswith("(bot)")


def without_fillers(text: str) -> str:
    """Return the text without the letters that show nothing."""
    return text.translate(_NOTHING)


def plain(text: str, most: int) -> str:
    """Return the text in NFC with single spaces, cut to `most` characters.

    Invisible characters, including those that reverse the writing direction, are removed, and so
    are accents beyond the second on one letter.
    """
    visible, marks = [], 0
    for char in unicodedata.normalize("NFC", without_fillers(text)):
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MOST_MARKS and (category[0] != "C" or char.isspace()):
            visible.append(char)
    return " ".join("".join(visible).split())[:most].strip()
