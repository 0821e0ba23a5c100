"""Lay a document beside its catalogue: `python -m tests.rules.side_by_side family FILE`.

The catalogue cuts a document into headings and sentences by their number of words. This prints
each piece of the document beside what the catalogue says of it, and fails when the words do not
come out even, so that a reader with the document in hand sees that nothing was left out.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.rules.sentences import Document, load


def pieces(document: Document, text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (id, piece of the text, what the catalogue says) from the first word to the last."""
    words = [word for word in text.split() if re.search(r"[\w♠♣♦♥]", word)]
    if len(words) != document.words:
        raise SystemExit(f"{len(words)} words in the file, {document.words} in the catalogue")
    at = 0
    for section in document.sections:
        yield section.key, " ".join(words[at : at + section.heading]), f"({section.title})"
        at += section.heading
        for sentence in section.sentences:
            yield sentence.id, " ".join(words[at : at + sentence.words]), sentence.says
            at += sentence.words


def main(key: str, path: str) -> None:
    for id_, piece, says in pieces(load(key), Path(path).read_text(encoding="utf-8")):
        print(f"{id_}\n    {piece}\n    = {says}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python -m tests.rules.side_by_side DOCUMENT FILE")
    main(*sys.argv[1:])
