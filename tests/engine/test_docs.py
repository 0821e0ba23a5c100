"""docs/records.md says what the engine does."""

import re
from dataclasses import fields
from pathlib import Path

from engine.rules.actions import VERBS
from engine.rules.fields import OneOf
from engine.rules.ruleset import BETTING, EXCHANGES, INSTANT_WINS, MONEY, Ruleset

DOCS = Path(__file__).parents[2] / "docs"


def words() -> set[str]:
    return set(re.findall(r"`([\w+-]+)`", (DOCS / "records.md").read_text(encoding="utf-8")))


def test_every_field_of_a_ruleset_is_described():
    assert [field.name for field in fields(Ruleset) if field.name not in words()] == []


def test_every_name_that_a_field_may_hold_is_described():
    known = words()
    for names in (BETTING, EXCHANGES, INSTANT_WINS, MONEY, VERBS):
        assert [name for name in names if name not in known] == []


def test_every_value_of_an_option_is_described_in_its_row():
    rows = (DOCS / "records.md").read_text(encoding="utf-8").splitlines()
    missing = []
    for field in fields(Ruleset):
        check = field.metadata["check"]
        if not isinstance(check, OneOf):
            continue
        row = next(row for row in rows if re.match(rf"\|[^|]*`{field.name}`", row))
        missing += [(field.name, name) for name in check.names if f"`{name}`" not in row]
    assert missing == []


def test_the_example_in_python_runs():
    text = (DOCS / "records.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", text, re.S)
    assert example is not None
    exec(compile(example[1], "records.md", "exec"), {})
