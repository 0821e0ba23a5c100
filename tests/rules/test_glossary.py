"""docs/glossary.md: one table that names every thing of the game once."""

import re
from collections import Counter
from pathlib import Path

from engine.rules.ruleset import EXCHANGES, INSTANT_WINS, MONEY

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
KINDS = ("single", "pair", "triple", "quad", "straight", "pair_run", "quad_run")
REASONS = ("loser", "third", "chop", "twos_left", "bombs_left", "cards_left", "cong", "instant_win")


def rows() -> list[list[str]]:
    lines = GLOSSARY.read_text(encoding="utf-8").splitlines()
    table = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in table[2:]]


def test_names_of_rulesets_and_records_are_in_the_glossary():
    named = set(re.findall(r"`([^`]+)`", " ".join(row[1] for row in rows())))
    wanted = {*KINDS, *REASONS, *EXCHANGES, *INSTANT_WINS, *MONEY}
    assert sorted(wanted - named) == []


def test_every_row_has_an_english_and_a_vietnamese_word():
    assert [row for row in rows() if len(row) != 5 or not (row[2] and row[3])] == []


def test_no_thing_and_no_english_word_is_named_twice():
    for column in (1, 2):
        counts = Counter(row[column] for row in rows())
        assert [word for word, count in counts.items() if count > 1] == []


def test_no_vietnamese_word_means_two_things():
    counts = Counter(word for row in rows() for word in row[3].split(", "))
    assert [word for word, count in counts.items() if count > 1] == []
