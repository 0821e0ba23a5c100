"""Write docs/rules from the catalogue and the tests: `python -m tests.rules.table`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.rules.flip import Flip
from tests.rules.marker import RuleTest, examples_of, rule_tests
from tests.rules.sentences import FIXED, NO_RULE, Document, Section, Sentence, by_id, documents

PAGES = Path(__file__).parents[2] / "docs" / "rules"
HEAD = """\
# Rules and their tests

For contributors, and for players who doubt a rule. Afterwards you can find the test behind each
rule, and add a rule. [The glossary](../glossary.md) explains the words of the game.

Five documents describe the game. Each page takes one of them sentence by sentence, in our own
words, and links each rule to the tests that hold the engine to it.

## Read a page

* A sentence ends as in the document. A list item, a line of a table and a line of an example count
  as one sentence each; headings do not count. Words contain a letter, a digit or a suit.
* A *flip* is a change of the ruleset under which the same test must fail. Rules without a flip say
  why. `tests/rules/test_flips.py` plays each example under each of its flips.
* To compare a page with its document, run
  `.venv/bin/python -m tests.rules.side_by_side family FILE`. It prints both side by side, and fails
  if a word is left over.

## Add a rule

1. Add a line to `tests/rules/catalogue/`.
2. Write a test marked `@rule("page/section/number")`, with its flip.
3. Run `.venv/bin/python -m tests.rules.table`. It writes these pages; do not edit them.

`tests/rules/test_catalogue.py` fails for a sentence without a test, a test without its sentence, a
rule without a flip, or a page out of date.

## Pages
"""
READER = "For contributors, and for players who check a rule: each sentence with its tests.\n\n"


def pages() -> dict[str, str]:
    """Return the text of each page by its file name."""
    return {"README.md": _readme()} | {f"{d.key}.md": _page(d) for d in documents()}


def _readme() -> str:
    five = [document for document in documents() if document.file]
    ours = [document for document in documents() if not document.file]
    rows = [*map(_totals, five), _sum(five), *map(_totals, ours)]
    head = "| page | words | sentences | rules | repeated | no rule | tests | flips |\n"
    head += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    none = "\n".join(f"* `{key}`: {text}." for key, text in NO_RULE.items())
    fixed = "\n".join(f"* `{key}`: {text}." for key, text in FIXED.items())
    return (
        f"{HEAD}\n{head}" + "\n".join(rows) + f"\n\n## Sentences without a rule\n\n{none}\n\n"
        f"## Rules without a flip\n\n{fixed}\n"
    )


def _totals(document: Document) -> str:
    return _total_row(f"[{document.title}]({document.key}.md)", [document])


def _sum(five: list[Document]) -> str:
    return _total_row("**The five documents**", five)


def _total_row(name: str, of: list[Document]) -> str:
    sentences = [sentence for document in of for sentence in document.sentences]
    kinds = Counter(_kind(sentence) for sentence in sentences)
    ids = {sentence.id for sentence in sentences}
    tests = [test for test in rule_tests() if ids & set(test.cites)]
    flips = sum(len(test.flips) for test in tests)
    numbers = [sum(d.words for d in of) or "", len(sentences), kinds["rule"], kinds["repeats"]]
    return _line([name, *map(str, [*numbers, kinds["none"], len(tests), flips])]).rstrip()


def _kind(sentence: Sentence) -> str:
    if sentence.none:
        return "none"
    return "repeats" if sentence.repeats else "rule"


def _page(document: Document) -> str:
    source = f"`{document.file}`, " if document.file else ""
    head = f"# {document.title}\n\n{READER}{source}{len(document.sentences)} sentences. "
    head += "[How to read this page](README.md).\n"
    head += f"\n{document.intro}\n" if document.intro else ""
    return head + "".join(_section(document, section) for section in document.sections)


def _section(document: Document, section: Section) -> str:
    if not section.sentences:
        return f"\n## {section.title}\n\nA heading without sentences of its own.\n"
    words = "| words " if document.file else ""
    rule = "| ---: " if document.file else ""
    head = f"\n## {section.title}\n\n| id {words}| what it says | concerns | tests | flips |\n"
    head += f"| --- {rule}| --- | --- | --- | --- |\n"
    return head + "".join(_row(document, sentence) for sentence in section.sentences)


def _row(document: Document, sentence: Sentence) -> str:
    short = sentence.id.removeprefix(f"{document.key}/")
    cells = [f"`{short}`", *([str(sentence.words)] if document.file else []), sentence.says]
    if sentence.none:
        return _line([*cells, "", f"no rule: {sentence.none}", ""])
    if sentence.repeats:
        own = by_id()[sentence.repeats]
        return _line(
            [*cells, f"`{own.concerns}`", f"as `{own.id.removeprefix(document.key + '/')}`", ""]
        )
    tests = examples_of().get(sentence.id, ())
    names = "<br>".join(_link(test) for test in tests)
    return _line([*cells, f"`{sentence.concerns}`", names, _flips(sentence, tests)])


def _link(test: RuleTest) -> str:
    return f"[`{test.name}`](../../tests/rules/{test.module}.py)"


def _flips(sentence: Sentence, tests: tuple[RuleTest, ...]) -> str:
    if sentence.fixed:
        return f"none: {sentence.fixed}"
    return "<br>".join(_flip(flip) for test in tests for flip in test.flips)


def _flip(flip: Flip) -> str:
    return ", ".join(f"`{field}` = `{json.dumps(value)}`" for field, value in flip.items())


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def write() -> None:
    """Write every page and remove those of documents that are gone."""
    PAGES.mkdir(parents=True, exist_ok=True)
    for stale in PAGES.glob("*.md"):
        stale.unlink()
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
