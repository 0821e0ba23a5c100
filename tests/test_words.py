"""Words: no pattern of odd English, and no word that the glossary has retired, comes back.

Searched are the documents, the messages of pages and refusals, texts of templates outside them, and
docstrings. docs/glossary.md names the word to use. A pattern is here only if a search finds it
without false alarms; the few exceptions stand in ALLOWED with their reasons.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import polib
import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PACKAGES = ("engine", "accounts", "tables", "league", "config", "launcher", "script")
CATALOGUES = [ROOT / f"locale/{part}/LC_MESSAGES/django.po" for part in ("vi", "libraries/vi")]

# What to write instead. These hold everywhere.
ANYWHERE = {
    r"who(?:m|se)?ever": "a player who, anyone who; to the reader: if you",
    r"(?:some|every|any)body": "someone, everyone, anyone, or name the person",
    r"by (?:itself|themselves)": "automatically, or just the verb",
    r"anew|meanwhile|for good": "again, someone has just, permanently",
}
# Documents and what people read on pages.
IN_TEXTS = {
    r"he|his|him|himself": "they, or the player",
    r"exactly so many": "the number",
    r"(?<!there )(?:is|are) no (?:csv|json|bot|player|number|card)s?": "is not a …",
    r"already(?=[.!])": "has already, before the verb",
    r"from (?!now )(?:[\w%()]+ ){1,3}on(?=[.,;:)])": "from …, applies from …",
    r"chairs?": "seat",
    r"live tables?": "online table",
    r"the wall|wall screens?": "big screen",
    r"installations?": "server",
    r"second factors?": "two-factor authentication",
    r"bots' tournaments?": "bot tournament",
    r"the loser leaves|an? open nights?": "Last one out, Open play",
    r"(?:take|takes|taking|took|taken) (?:it |this |that )?back": "undo, withdraw, reverse",
    r"put(?:s|ting)? away": "archive",
    r"this is nothing that": "say what is not possible",
    r"%\(\w+\)s has (?:played|passed|chopped|declared)": "a move: played, passed",
}
VIETNAMESE = {
    "đường dẫn": "liên kết",
    "thu hồi": "hủy",
    "vãng lai": "khách",
    "phân quyền|quyền hạn": "vai trò",
    "bộ luật": "luật",
    "định đoạt": "quyết định",
    "câu lạc bộ": "hội",
    "vui lòng": "hãy, or nothing",
    "trực tuyến|chơi mạng|bàn mạng": "online",
    "lịch hẹn": "lịch",
    "thiết lập": "cài đặt",
    "người tổ chức": "ban tổ chức",
    "mất kết nối": "mất mạng",
    "ván chia": "thế bài",
    "khối ván": "cụm",
    "lớp bảo vệ thứ hai": "xác thực hai lớp",
    "sổ quỹ|sổ tiền": "sổ",
    "được thua": "thắng thua",
    "kỳ thủ": "người chơi",
    "tối mở": "Chơi tự do",
    "người ấy": "người đó",
    "lời khuyên": "gợi ý",
    r"\d+ %(?![(\d])": "5%, without a space",
    "(?<!nghỉ )vòng này": "vòng đấu này; vòng is a trick",
}
# What is found and stays: (a part of the place, the text, the reason).
ALLOWED = [
    ("docs/glossary.md", "", "names the retired words"),
    ("docs/security.md", "chair", "the table of links names its kinds as the code does"),
    ("message 'This trick'", "Vòng này", "a trick is called so"),
    ("tests/rules/pages/", "", "retells the documents of the rules, sentence by sentence"),
]


def pattern(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])", re.IGNORECASE)


EVERYWHERE = pattern(ANYWHERE)
TEXT = pattern(ANYWHERE | IN_TEXTS)
VIETNAMESE_TEXT = pattern(VIETNAMESE)


def blank(found: re.Match[str]) -> str:
    """Return the match as spaces, so that what follows keeps its line."""
    return re.sub(r"[^\n]", " ", found[0])


def prose(markdown: str) -> str:
    """Return a document's words: without code, addresses, comments and file names."""
    return re.sub(
        r"^```.*?^```|^ {4,}\S.*$|`[^`]*`|\]\([^)]*\)|<!--.*?-->|<[^>]+>|\w+:\w+",
        blank,
        markdown,
        flags=re.S | re.M,
    )


def odd(text: str, words: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of each thing found; a line's end is a space."""
    for found in words.finditer(text.replace("\n", " ")):
        yield text.count("\n", 0, found.start()) + 1, found[0]


def advice(found: str) -> str:
    """Return what was found with what to write instead."""
    said = found.rpartition(": ")[2]
    known = ANYWHERE | IN_TEXTS | VIETNAMESE
    instead = [use for words, use in known.items() if re.match(words, said, re.IGNORECASE)]
    return f"{found} → {' or '.join(instead)}"


@cache
def messages() -> list[polib.POEntry]:
    return [entry for path in CATALOGUES for entry in polib.pofile(str(path))]


def documents() -> Iterator[str]:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for line, words in odd(prose(page.read_text(encoding="utf-8")), TEXT):
            yield f"{page.relative_to(ROOT)}:{line}: {words}"


def english() -> Iterator[str]:
    for entry in messages():
        if not entry.obsolete:
            for _line, words in odd(f"{entry.msgid}\n{entry.msgid_plural}", TEXT):
                yield f"message {entry.msgid!r}: {words}"


def vietnamese() -> Iterator[str]:
    for entry in messages():
        if not entry.obsolete:
            texts = [entry.msgstr, *entry.msgstr_plural.values()]
            for _line, words in odd("\n".join(texts), VIETNAMESE_TEXT):
                yield f"message {entry.msgid!r}: {words}"


def templates() -> Iterator[str]:
    """Texts of templates: messages of the catalogue are found twice, other texts only here."""
    for page in ROOT.glob("templates/**/*.html"):
        text = re.sub(
            r"{% comment %}.*?{% endcomment %}|{#.*?#}|{%.*?%}|{{.*?}}"
            r"|<(script|style).*?</\1>|<[^>]*>",
            blank,
            page.read_text(encoding="utf-8"),
            flags=re.S,
        )
        for line, words in odd(text, TEXT):
            yield f"{page.relative_to(ROOT)}:{line}: {words}"


def docstrings() -> Iterator[str]:
    for package in PACKAGES:
        for page in (ROOT / package).rglob("*.py"):
            source = page.read_text(encoding="utf-8")
            quoted = " ".join(re.findall(r'"""(.*?)"""', source, re.S)).replace("\n", " ")
            if "migrations" in page.parts or not EVERYWHERE.search(quoted):
                continue
            for node in ast.walk(ast.parse(source)):
                match node:
                    case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                        for line, words in odd(ast.get_docstring(node) or "", EVERYWHERE):
                            first = node.body[0].lineno
                            yield f"{page.relative_to(ROOT)}:{first + line - 1}: {words}"


def test_a_round_of_a_night_is_not_called_as_a_trick_is():
    """`vòng` alone is a trick of cards."""
    said = [
        entry.msgstr
        for entry in messages()
        if re.search(r"\b(?:this round\b|round %\()", entry.msgid) and not entry.obsolete
    ]
    assert said
    assert [text for text in said if "vòng" in text.lower().replace("vòng đấu", "")] == []


@pytest.mark.parametrize("texts", [documents, english, vietnamese, templates, docstrings])
def test_nothing_is_said_in_retired_words(texts):
    found = [
        advice(one)
        for one in texts()
        if not any(place in one and said in one for place, said, _ in ALLOWED)
    ]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("words", [*ANYWHERE, *IN_TEXTS])
def test_each_pattern_has_an_example_that_it_catches(words):
    assert any(pattern({words: ""}).search(one) for one in BAD), words


# Sentences that stood on a page or in a document.
BAD = [
    "Whoever holds it enters that table's games.",
    "Somebody comes or leaves.",
    "Everybody has come.",
    "Games come by themselves.",
    "What is made stays for good.",
    "A changed night is rated anew.",
    "Nobody chops himself.",
    "Choose exactly so many cards: 3.",
    "This line is no CSV.",
    "The club has rules of this name already.",
    "It holds from game 5 on.",
    "Every chair is taken.",
    "A live table goes on.",
    "Put it on the wall.",
    "Tell the owner of this installation.",
    "Add a second factor.",
    "In the bots' tournament",
    "Tables where the loser leaves",
    "The draw was taken back.",
    "Rules can be put away.",
    "This is nothing that can be done at a table.",
    "%(player)s has played %(cards)s.",
]
GOOD = [
    "A player who has passed may still chop.",
    "There is no bot with this name.",
    "No round is released.",
    "Calculated from all results on %(on)s.",
    "The history of this game, and theirs.",
    "The wallet, the floor of the hall and a backup.",
    "You have already checked in.",
]


@pytest.mark.parametrize("text", BAD)
def test_odd_english_is_caught(text):
    assert list(odd(text, TEXT))


@pytest.mark.parametrize("text", GOOD)
def test_plain_english_is_not(text):
    assert list(odd(text, TEXT)) == []


def test_a_pattern_is_found_across_lines_but_not_in_code():
    assert list(odd(prose("Games come by\nthemselves."), TEXT)) == [(1, "by themselves")]
    assert list(odd(prose("`Chair` and\n\n    whoever\n\n[a](chairs.md)"), TEXT)) == []
