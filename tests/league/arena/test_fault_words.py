"""Bots' faults are stored in English and told in the reader's language."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from engine.sim import faults
from league.arena.facts.run_effects import Note
from league.arena.pages.fault_words import SENTENCES, in_words
from tables.bots.acts import checks

ROOT = Path(faults.__file__).parents[2]
SAID = re.compile(r"""(["'])(Its? (?!ended before|was silent|line is|check lost).+?)\1""")
"""A sentence of a bot's fault in the code, without those of a file that cannot be read."""


def sentences() -> list[str]:
    """Return each sentence that the code has of a bot's fault, with a 7 for each value."""
    folders = ("engine/sim", "tables/programs", "tables/runs")
    code = [
        path.read_text() for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    found = [said for source in code for _quote, said in SAID.findall(source)]
    return [re.sub(r"\{[a-zA-Z][^{}]*\}", "7", said) for said in found]


def test_every_fault_has_words_in_vietnamese():
    found = sentences()
    assert len(found) > 15
    with translation.override("vi"):
        left = [text for text in found if in_words(text) == text]
    assert left == []


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (
            "tien-len, 2 players: game 1, seat 0: slow: It gave no answer within 1 s. Its standard "
            "error: Traceback\ntien-len, 2 players: and in 3 more seats",
            "tien-len, 2 người chơi: ván 1, ghế 0: quá chậm: Không trả lời trong 1 giây. Its",
        ),
        ('It chose "3S, 4S", which is not in "legal".', 'Chọn "3S, 4S", không có trong "legal".'),
        ("Its answer is not JSON: {'a': 5%}", "Câu trả lời không phải JSON: {'a': 5%}"),
        ("ValueError: what the bot said itself", "ValueError: what the bot said itself"),
    ],
)
def test_a_fault_is_told_in_vietnamese_but_for_what_the_bot_said(stored, told):
    with translation.override("vi"):
        assert in_words(stored)[: len(told)] == told, in_words(stored)


def test_the_notes_of_a_bot_are_told_on_its_page():
    note = Note("cam", "quá chậm", 1, 1, "It gave no answer within 1 s.")
    with translation.override("vi"):
        shown = render_to_string("league/arena/bot_notes.html", {"notes": [note]})
    assert "Không trả lời trong 1 giây." in shown


def test_english_readers_read_what_is_stored():
    stored = (
        "tien-len, 2 players: and in 1 more seat\nIt did so 3 times, and is not asked any more."
    )
    with translation.override("en"):
        assert in_words(stored) == stored
        assert in_words(checks.NOT_CHECKED.format(error="100%")).endswith("wrong: 100%")
        assert all(in_words(one) == one for one in SENTENCES if "kind" not in one)


def test_a_bot_that_writes_anything_holds_no_page_up():
    for text in (", " * 20_000, ", 2 players: game 1, seat " * 2_000, 'It chose "' * 4_000):
        assert in_words(text) == text
