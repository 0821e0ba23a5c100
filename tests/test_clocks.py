"""Tests are right at every moment: they name theirs, or ask the product for the day.

The server's day, the reader's and the club's differ for hours of each day; what is read while
tests are collected is of another moment than what runs; and a date that lies ahead will lie behind.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RELEASED, FOR_EVER = 2026, 2100
CLOCKS = {"now", "today", "localdate", "localtime", "utcnow", "time_ns"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DATE = re.compile(r"(20\d\d)-[01]\d-[0-3]\d")
TRAVELS = {"travel", "move_to", "lived_from", "lived_at"}


def servers_day(tree: ast.Module) -> list[int]:
    """Lines that ask for a day or a time without saying whose."""
    return [
        call.lineno
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and not (call.args or call.keywords)
        and dotted(call.func).endswith(("localdate", "date.today", "datetime.now", "utcnow"))
    ]


def at_import(tree: ast.Module) -> list[int]:
    """Lines that read a clock while tests are collected: of a module, of a parameter."""
    found, left = [], list[ast.AST](tree.body)
    while left:
        node = left.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            left += [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults]
        elif isinstance(node, ast.Call) and name_of(node.func) in CLOCKS:
            found.append(node.lineno)
        elif node is not None and not isinstance(node, ast.Lambda):
            left += ast.iter_child_nodes(node)
    return sorted(found)


def dated(tree: ast.Module) -> list[int]:
    """Lines with a day from the release's year on, where the clock is the real one.

    A function that travels, by a decorator or in its body, names its moment; so does a module.
    """
    if any(travels(node) for node in tree.body if not isinstance(node, FUNCTIONS)):
        return []
    found, left = [], list[ast.AST](tree.body)
    while left:
        node = left.pop()
        if isinstance(node, FUNCTIONS) and travels(node):
            continue
        if RELEASED <= (year_of(node) or 0) < FOR_EVER:
            found.append(getattr(node, "lineno", 0))
        left += ast.iter_child_nodes(node)
    return sorted(found)


def travels(tree: ast.AST) -> bool:
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(name_of(call.func) in TRAVELS for call in calls)


def year_of(node: ast.AST) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        found = DATE.match(node.value)
        return int(found[1]) if found else None
    if isinstance(node, ast.Call) and name_of(node.func) in ("date", "datetime") and node.args:
        year = node.args[0]
        return year.value if isinstance(year, ast.Constant) and type(year.value) is int else None
    return None


def name_of(function: ast.expr) -> str:
    return dotted(function).rpartition(".")[2]


def dotted(function: ast.expr) -> str:
    """Return what is called as it is written, a call or an index within left out."""
    if isinstance(function, ast.Attribute):
        return f"{dotted(function.value)}.{function.attr}"
    return function.id if isinstance(function, ast.Name) else ""


@pytest.mark.always
def test_no_act_asks_for_the_servers_day():
    """A club's night of today was in the future for its own notebook, where no zone was chosen."""
    acts = [path for path in (TESTS.parent / "league").rglob("*.py") if "acts" in path.parts]
    assert len(acts) > 40
    assert [path.name for path in acts if servers_day(ast.parse(path.read_text("utf-8")))] == []


KINDS = {"servers_day": servers_day, "at_import": at_import, "dated": dated}


@pytest.mark.always
def test_every_test_is_right_at_every_moment():
    """None asks for the server's day, reads a clock while it is collected, names a day to come."""
    found = [
        (kind, path.relative_to(TESTS).as_posix(), lines)
        for path in sorted(TESTS.rglob("*.py"))
        for tree in [ast.parse(path.read_text(encoding="utf-8"))]
        for kind, find in KINDS.items()
        if (lines := find(tree))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        ("def test(): timezone.localdate()", "servers_day"),
        ("def test(): datetime.date.today()", "servers_day"),
        ("def test(): timezone.localdate(zone=club.zone)", ""),
        ("def test(): timezone.now()", ""),
        ("NOW = timezone.now()", "at_import"),
        ("@pytest.mark.parametrize('at', [f'{now():%Y}'])\ndef test(at): pass", "at_import"),
        ("def test(at=timezone.now()): pass", "at_import"),
        ("class A:\n    at = time.time_ns()", "at_import"),
        ("NOW = lambda: timezone.now()", ""),
        ("DAY = date(2027, 1, 1)", "dated"),
        ("def test(): post(day='2027-01-01 12:00')", "dated"),
        ("lived = lived_from('2026-12-26')\nDAY = date(2027, 1, 1)", ""),
        ("DAYS = date(2019, 1, 1), date(2199, 1, 1)", ""),
        ("@travel('2027-01-01')\ndef test(): post(day='2027-01-02')", ""),
        ("@travel('2027-01-01')\ndef test(): pass\ndef test_b(): date(2027, 1, 2)", "dated"),
    ],
)  # fmt: skip
def test_each_kind_is_refused_where_it_is_planted(code, refused):
    tree = ast.parse(code)
    found = {kind: find(tree) for kind, find in KINDS.items()}
    assert [name for name, lines in found.items() if lines] == ([refused] if refused else [])
