"""Write tests/rules/pages from the catalogue and the tests: `python -m tests.rules.table`."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path

from tests.rules.marker import RuleTest, examples_of, rule_tests
from tests.rules.sentences import FIXED, NO_RULE, Document, Section, Sentence, documents

PAGES = Path(__file__).parent / "pages"
HEAD = """\
# Rules and their tests

For contributors, and for players who doubt a rule: find a rule in its document, its test and the
settings that change it, or add a rule. [The glossary](../../../docs/glossary.md) explains the
words.

## Read a page

* Each page takes a document sentence by sentence, in our own words. List items and lines of tables
  and examples are sentences; headings are not.
* Below one or more rules stand their preset if it is not the page's, the
  [settings](../../../docs/records.md#the-fields-of-a-ruleset) under whose change a test fails, and
  the tests.
  A word in italics is the reason why no setting changes them.
* *Again* lists sentences that repeat a rule, the end of a page those without a rule.
  `tests/rules/catalogue/` has their words.
* `.venv/bin/python -m tests.rules.side_by_side family FILE` prints a document beside its catalogue,
  and fails if a word is left over.

## Add a rule

1. Add a line to `tests/rules/catalogue/`.
2. Write a test marked `@rule("page/section/number")`, with its flip: a change under which it fails.
   `tests/rules/test_flips.py` plays it.
3. Run `.venv/bin/python -m tests.rules.table`. It writes these pages; do not edit them.

`tests/rules/test_catalogue.py` fails for a sentence without a test, a test without its sentence, a
rule without a flip, or a page out of date.

## Pages
"""
READER = "For contributors, and for players who check a rule"


def pages() -> dict[str, str]:
    """Return the text of each page by its file name."""
    return {"README.md": _readme()} | {f"{d.key}.md": _page(d) for d in documents()}


def _readme() -> str:
    five = [document for document in documents() if document.file]
    ours = [document for document in documents() if not document.file]
    rows = [*map(_totals, five), _sum(five), *map(_totals, ours)]
    head = "| page | sentences | rules | again | no rule | tests | flips |\n"
    head += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    none = "\n".join(f"* `{key}`: {text}." for key, text in NO_RULE.items())
    fixed = "\n".join(f"* *{key}*: {text}." for key, text in FIXED.items())
    none_changes = "No field of a ruleset changes these:"
    return (
        f"{HEAD}\n{head}" + "\n".join(rows) + f"\n\n## Sentences without a rule\n\n{none}\n\n"
        f"## Rules without a flip\n\n{none_changes}\n\n{fixed}\n"
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
    numbers = [len(sentences), kinds["rule"], kinds["repeats"], kinds["none"], len(tests), flips]
    return _line([name, *map(str, numbers)]).rstrip()


def _kind(sentence: Sentence) -> str:
    if sentence.none:
        return "none"
    return "repeats" if sentence.repeats else "rule"


def _page(document: Document) -> str:
    source = f": `{document.file}`" if document.file else ""
    applies = "every preset" if " " in document.concerns else f"`{document.concerns}`"
    head = (
        f"# {document.title}\n\n{READER}{source}. Applies to {applies}. [How to read](README.md).\n"
    )
    head += f"\n{document.intro}\n" if document.intro else ""
    sections = "".join(_section(document, section) for section in document.sections)
    return head + sections + _without(document)


def _section(document: Document, section: Section) -> str:
    rules = [sentence for sentence in section.sentences if _kind(sentence) == "rule"]
    if not rules:
        return ""
    shared = {sentence.concerns for sentence in rules}
    usual = shared.pop() if len(shared) == 1 else document.concerns
    note = "" if usual == document.concerns else f"For {_names(usual.split(', '))}.\n\n"
    groups = groupby(rules, key=lambda sentence: _held_by(sentence, usual))
    items = ("\n  ".join([*(_rule(document, rule) for rule in same), by]) for by, same in groups)
    return f"\n## {section.title}\n\n{note}" + "".join(f"* {item}\n" for item in items)


def _rule(document: Document, sentence: Sentence) -> str:
    own = sentence.id.rpartition("/")[0]
    found = [other.id for other in document.sentences if other.repeats == sentence.id]
    again = sorted(found, key=lambda id_: id_.rpartition("/")[0] != own)
    more = f" (Again: {_ranges(again, own)}.)" if again else ""
    return f"`{_short(sentence.id)}` {sentence.says}{more}"


def _held_by(sentence: Sentence, usual: str) -> str:
    """Return the settings that change a rule, and its tests."""
    tests = examples_of().get(sentence.id, ())
    others = [] if sentence.concerns == usual else sentence.concerns.split(", ")
    flipped = [field for test in tests for flip in test.flips for field in flip]
    names = _names([*others, *(() if sentence.fixed else flipped)])
    reason = f"*{sentence.fixed}*" if sentence.fixed else ""
    return ", ".join(filter(None, [names, reason])) + ": " + ",\n  ".join(map(_link, tests))


def _without(document: Document) -> str:
    """Return the sentences without a rule, by their reason."""
    found: dict[str, list[str]] = {}
    for sentence in document.sentences:
        if sentence.none:
            found.setdefault(sentence.none, []).append(sentence.id)
    lines = [f"* `{reason}`: {_ranges(ids)}\n" for reason, ids in sorted(found.items())]
    return "\n## Sentences without a rule\n\n" + "".join(lines) if lines else ""


def _ranges(ids: list[str], section: str = "") -> str:
    """Return ids as numbers by section, with runs as ranges; the section given goes unnamed."""
    runs: dict[str, list[list[int]]] = {}
    for prefix, _slash, number in (id_.rpartition("/") for id_ in ids):
        of = runs.setdefault(prefix, [])
        if of and of[-1][-1] == int(number) - 1:
            of[-1].append(int(number))
        else:
            of.append([int(number)])
    return "; ".join(
        ("" if prefix == section else f"{_short(prefix)}/")
        + ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in of)
        for prefix, of in runs.items()
    )


def _short(id_: str) -> str:
    """Return an id without its document."""
    return id_.partition("/")[2]


def _names(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in dict.fromkeys(words))


def _link(test: RuleTest) -> str:
    return f"[`{test.name}`](../{test.module}.py)"


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
