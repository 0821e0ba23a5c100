"""Conformance cases: records with the right answers, to test any engine.

`data/conformance.jsonl` has one case per line: ``{"name", "ask", "record", "answer"}``. `ask` is
``legal`` or ``replay``; `answer` is what ``python -m engine batch`` prints (docs/records.md), or
``{"error": ...}`` with any text for a record that must be refused.
"""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..rules.errors import EngineError, RecordError
from .record import legal, replay

CASES = Path(__file__).parent / "data" / "conformance.jsonl"
_ASKS: dict[str, Callable[[object], dict[str, Any]]] = {"legal": legal, "replay": replay}
_PATIENCE = 600


class ConformanceCase(NamedTuple):
    """A record with the answer that an engine must give."""

    name: str
    ask: str
    record: dict[str, Any]
    answer: dict[str, Any]

    def is_met(self, answer: object) -> bool:
        """Return whether an engine's answer is right."""
        if "error" in self.answer:
            return isinstance(answer, dict) and "error" in answer
        return answer == self.answer


def cases() -> Iterator[ConformanceCase]:
    with CASES.open(encoding="utf-8") as lines:
        for line in lines:
            yield ConformanceCase(**json.loads(line))


def answer(ask: str, record: object) -> dict[str, Any]:
    try:
        return _ASKS[ask](record)
    except RecordError as error:
        return {"error": str(error)}


def wrong_of(program: str) -> list[tuple[ConformanceCase, object]]:
    """Return the cases that a program answers wrongly, each with its answer.

    The program is started as ``PROGRAM legal`` and ``PROGRAM replay``, without a shell. It reads
    one record per line and prints one answer per line.
    """
    wrong: list[tuple[ConformanceCase, object]] = []
    for ask in _ASKS:
        asked = [case for case in cases() if case.ask == ask]
        given = _ask(program, ask, asked)
        wrong += [(case, a) for case, a in zip(asked, given, strict=True) if not case.is_met(a)]
    return wrong


def _ask(program: str, ask: str, asked: Iterable[ConformanceCase]) -> list[object]:
    lines = [json.dumps(case.record, ensure_ascii=False) for case in asked]
    try:
        done = subprocess.run(
            [*shlex.split(program), ask], input="\n".join(lines) + "\n", stdout=subprocess.PIPE,
            encoding="utf-8", errors="replace", timeout=_PATIENCE, check=False,
        )  # fmt: skip
    except ValueError as error:
        raise EngineError(f"{program}: {error}") from None
    except subprocess.TimeoutExpired:
        raise EngineError(f"the program did not answer within {_PATIENCE} s") from None
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        raise EngineError(f"the program answered {len(answers)} of {len(lines)} records")
    return [_read(line) for line in answers]


def _read(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
