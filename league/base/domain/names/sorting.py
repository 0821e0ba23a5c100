"""Vietnamese order of names, as a key that any database sorts correctly in the C collation."""

import re
import unicodedata

LONGEST_KEY = 500

# Every substitute is ASCII. The character between words sorts below all others, so that a short
# name comes before a longer one that begins with it. Tones sort before digits, digits before
# letters. The sign after a letter with a hat, hook or bar sorts above z, so that ă follows every a.
_WORD_END = "!"
_TONES = {"\u0300": '"', "\u0309": "#", "\u0303": "$", "\u0301": "%", "\u0323": "&"}
_OTHER_MARK = "'"
_LETTER_MARKS = {
    ("a", "\u0306"): "{",
    ("a", "\u0302"): "|",
    ("e", "\u0302"): "{",
    ("o", "\u0302"): "{",
    ("o", "\u031b"): "|",
    ("u", "\u031b"): "{",
}
_BREAK = re.compile(r"[\s\-_./‐-―]+")
_PART = re.compile(r"\d+|\D", re.ASCII)


def sort_key(name: str) -> str:
    """Return ASCII text whose byte order is the Vietnamese order of full names.

    The alphabet is a ă â b c d đ e ê … o ô ơ … u ư … y (f, j, w and z in their Latin places).
    As in a dictionary, names compare syllable by syllable, and syllables of the same letters by
    tone: none, huyền, hỏi, ngã, sắc, nặng. Case is ignored, digits come before letters and compare
    as numbers (`Bot 2` before `Bot 10`), other scripts come last. At most 500 characters.
    """
    plain = unicodedata.normalize("NFD", name.casefold())
    words = (_word_key(word) for word in _BREAK.split(plain))
    return _WORD_END.join(word for word in words if word)[:LONGEST_KEY]


def _word_key(word: str) -> str:
    letters: list[str] = []
    tones: list[str] = []
    base = ""
    for part in _PART.findall(word):
        if part in _TONES:
            tones.append(_TONES[part])
        elif (base, part) in _LETTER_MARKS:
            letters.append(_LETTER_MARKS[base, part])
        elif unicodedata.combining(part[0]):
            tones.append(_OTHER_MARK)
        else:
            base = part
            letters.append(_letter_key(part))
    return "".join(letters + tones)


def _letter_key(part: str) -> str:
    if part == "đ":
        return "d{"
    if part[0].isascii():
        if part.isdigit():
            number = part.lstrip("0") or "0"
            return f"{min(len(number), 9)}{number}"
        return part if part.isalpha() else ""
    return f"~{ord(part):06x}" if unicodedata.category(part)[0] in "LNS" else ""
