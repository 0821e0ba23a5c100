"""Names in what people wrote, however they are typed."""

import re
import unicodedata
from collections.abc import Iterable, Iterator


def wanted(names: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the names in a bare text: whole, or by the word that people are called by.

    That is the last word, of two words also the first. The pattern of no name finds nothing.
    """
    split = [words for name in names if (words := _bare(name).split())]
    whole = {r"\s+".join(map(re.escape, words)) for words in split}
    short = {words[at] for words in split for at in ((0, -1) if len(words) == 2 else (-1,))}
    parts = {re.escape(word) for word in short if len(word) > 1} - whole
    either = f"(?P<whole>{_any(whole)})|(?:{_any(parts)})"
    return re.compile(rf"(?<![\w@])(?:{either})(?![\w@])")


def found_in(text: str, names: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Yield each mention as it stands in the text, and whether it is a whole name.

    Case, accents, decomposed letters and further spaces make no difference.
    """
    letters = [(bare, at) for at, char in enumerate(text) for bare in _bare(char)]
    ends = [at for _bare_letter, at in letters] + [len(text)]
    for match in names.finditer("".join(bare for bare, _at in letters)):
        yield text[ends[match.start()] : ends[match.end()]], match["whole"] is not None


def bare_words(names: Iterable[str]) -> set[str]:
    """Return words of which a text with a mention has one, without accents and in lower case."""
    return {word for name in names if (words := _bare(name).split()) for word in words}


def _bare(text: str) -> str:
    letters = unicodedata.normalize("NFD", text).casefold().replace("đ", "d")
    return "".join(c for c in letters if unicodedata.category(c)[0] != "M")


def _any(parts: Iterable[str]) -> str:
    return "|".join(sorted(parts, key=len, reverse=True)) or "(?!)"
