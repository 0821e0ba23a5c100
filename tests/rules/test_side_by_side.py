"""A document and its catalogue are laid side by side, word for word."""

import pytest

from tests.rules.sentences import Document, Section, Sentence
from tests.rules.side_by_side import pieces

TEXT = """
# Rules

- ** Order:** 3♠ is low. ---
  Pass, or play!
"""


def document(*words: int) -> Document:
    sentences = tuple(Sentence(f"d/s/{n}", f"says {n}", "killa", w) for n, w in enumerate(words, 1))
    return Document("d", "A document", "killa", "d.md", (Section("s", "Rules", 1, sentences),))


def test_each_sentence_is_shown_beside_what_the_catalogue_says():
    assert list(pieces(document(4, 3), TEXT)) == [
        ("s", "Rules", "(Rules)"),
        ("d/s/1", "Order:** 3♠ is low.", "says 1"),
        ("d/s/2", "Pass, or play!", "says 2"),
    ]


def test_a_word_too_many_or_too_few_is_found():
    for words in ((4, 2), (4, 4)):
        with pytest.raises(SystemExit, match="8 words in the file"):
            list(pieces(document(*words), TEXT))
