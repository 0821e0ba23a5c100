"""Faults that can be planted: small changes of the product's text, as people make by mistake."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accounts", "config", "engine", "launcher", "league", "tables")
LEFT_OUT = re.compile(r"/migrations/|^engine/core/|^league/demo\.py|/management/")
"""The compiled core is compared with the readable engine, and takes minutes to make."""

SHARES = {
    "comparison": 0.24,
    "constant": 0.14,
    "dropped line": 0.2,
    "swapped arguments": 0.1,
    "right": 0.1,
    "lock": 0.1,
    "template": 0.12,
}
OPPOSITES = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
WEAKER = {"OWN": "ORGANISE", "ORGANISE": "BELONG", "SCORE": "BELONG", "BELONG": "SEE"}
WHOLE = (1, 1_000_000)
LOCKED = re.compile(r"FOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED)?")


@dataclass(frozen=True)
class Fault:
    """A text at a place, and what is put there; `lines` are those that a test must reach."""

    kind: str
    path: str
    lines: tuple[int, int]
    start: int
    old: str
    new: str

    @property
    def key(self) -> str:
        return f"{self.path}:{self.lines[0]} {self.kind}: {_short(self.old)} -> {_short(self.new)}"

    def plant(self, text: str) -> str:
        """Return the text with the fault; ValueError if it has changed since."""
        if text[self.start :][: len(self.old)] != self.old:
            raise ValueError(self.key)
        return text[: self.start] + self.new + text[self.start + len(self.old) :]


def draw(count: int, seed: int) -> list[Fault]:
    """Return `count` faults of all kinds by their shares, drawn by the seed."""
    dice = random.Random(seed)
    found: dict[str, list[Fault]] = {kind: [] for kind in SHARES}
    for fault in every():
        found[fault.kind].append(fault)
    drawn = []
    for kind, share in SHARES.items():
        drawn += dice.sample(found[kind], min(round(count * share), len(found[kind])))
    dice.shuffle(drawn)
    return drawn


def every() -> Iterator[Fault]:
    """Yield all faults that can be planted, in the order of their files."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if not LEFT_OUT.search(path):
                yield from _Finder(path, file.read_text()).faults()
    for file in sorted((ROOT / "templates").rglob("*.html")):
        yield from _of_template(file.relative_to(ROOT).as_posix(), file.read_text())


class _Finder(ast.NodeVisitor):
    """Finds the faults of one module; what runs at its import has no lines that a test reaches."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Fault] = []
        self.inside = 0

    def faults(self) -> list[Fault]:
        self.visit(ast.parse(self.text))
        return self.found

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._rights(decorator, node)
        self.inside += 1
        for one in node.body:
            self.visit(one)
        self.inside -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Compare(self, node: ast.Compare) -> None:
        if self.inside and len(node.ops) == 1:
            sign, opposite = OPPOSITES[type(node.ops[0])]
            start, end = self._end(node.left), self._start(node.comparators[0])
            between = self.text[start:end]
            at = re.search(rf"(?<![\w<>=!]){re.escape(sign)}(?![\w<>=])", between)
            if at:
                self._add("comparison", node, start + at.start(), sign, opposite)
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave it: Python 3.11 says wrongly where its parts stand."""

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and (lock := LOCKED.search(self._source(node))):
            start = self._start(node) + lock.start()
            self.found.append(Fault("lock", self.path, WHOLE, start, lock[0], ""))
        if self.inside and type(node.value) in (int, bool):
            new = str(not node.value if type(node.value) is bool else node.value + 1)
            self._change("constant", node, new)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if self.inside:
            self._rights(node, node)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if self.inside and isinstance(node.value, ast.Call | ast.Await):
            self._change("dropped line", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if self.inside:
            self._change("dropped line", node, "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if self.inside:
            self._lock(node)
            plain = [one for one in node.args if not isinstance(one, ast.Starred)]
            for first, second in list(pairwise(plain))[:1]:
                a, b = self._source(first), self._source(second)
                if a != b and not isinstance(first, ast.Constant):
                    between = self.text[self._end(first) : self._start(second)]
                    self._add(
                        "swapped arguments", node, self._start(first), a + between + b,
                        b + between + a,
                    )  # fmt: skip
        self.generic_visit(node)

    def _lock(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name == "select_for_update" and isinstance(node.func, ast.Attribute):
            self._change("lock", node, self._source(node.func.value))
        elif name == "take" and len(node.args) == 2:
            rows, key = map(self._source, node.args)
            self._change("lock", node, f"({rows}).get(pk={key})")
        elif name == "enter" and len(node.args) == 2:
            self._change("lock", node, "None")

    def _rights(self, inside: ast.AST, reached: ast.AST) -> None:
        for node in ast.walk(inside) if inside is not reached else [inside]:
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
                continue
            if node.value.id == "Right" and node.attr in WEAKER:
                new = f"Right.{WEAKER[node.attr]}"
                self._add("right", reached, self._start(node), self._source(node), new)

    def _change(self, kind: str, node: ast.expr | ast.stmt, new: str) -> None:
        self._add(kind, node, self._start(node), self._source(node), new)

    def _add(self, kind: str, node: ast.AST, start: int, old: str, new: str) -> None:
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0].lineno
        self.found.append(Fault(kind, self.path, (first, last), start, old, new))

    def _source(self, node: ast.AST) -> str:
        return self.text[self._start(node) : self._end(node)]

    def _start(self, node: ast.AST) -> int:
        return self._offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def _end(self, node: ast.AST) -> int:
        return self._offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def _offset(self, line: int, column: int) -> int:
        """Return the place in the text: columns of the tree count bytes."""
        start = self.starts[line - 1]
        return start + len(self.text[start:].split("\n", 1)[0].encode()[:column].decode())


def _of_template(path: str, text: str) -> Iterator[Fault]:
    """Yield the conditions of a template, each turned round."""
    for tag in re.finditer(r"{% (?:el)?if (.+?) %}", text):
        condition = tag[1]
        line = text.count("\n", 0, tag.start()) + 1
        if " and " in condition:
            new = condition.replace(" and ", " or ", 1)
        elif " or " in condition:
            new = condition.replace(" or ", " and ", 1)
        else:
            new = condition.removeprefix("not ") if condition[:4] == "not " else f"not {condition}"
        yield Fault("template", path, (line, line), tag.start(1), condition, new)


def _short(text: str) -> str:
    return re.sub(r"\s+", " ", text)[:60]
