"""Which of the dear tests a whole run takes: each waits for its turn, which the commit chooses.

A test that took LEAST_SECONDS or more (tests/data/seconds.tsv) is dear: one commit in DEAR runs it,
as one in LONG runs what is marked `long`, so that none of them rots. Marked `always`, it runs each
time. A run of some tests, by name or with --long, takes all that it was asked for.
"""

from functools import cache
from zlib import crc32

import pytest

from tests.plugins.place import ROOT

SECONDS = ROOT / "tests/data/seconds.tsv"
LEAST_SECONDS = 1.0
DEAR, LONG = 10, 60
MOST_SECONDS = 60
"""What is marked `long` and takes more runs with --long alone, as does what nobody measured."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--turn", type=int, help="only those dear tests whose turn this is")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "always: in every whole run, however long it takes")


@cache
def seconds() -> dict[str, float]:
    """Return what each dear test took, beside others on two cores."""
    rows = (row.split("\t") for row in SECONDS.read_text(encoding="utf-8").splitlines())
    return {name: float(taken) for taken, name in rows}


def write_seconds(taken: dict[str, float]) -> None:
    """Keep what these tests took; a test that is not among them keeps what it had."""
    told = {**seconds(), **taken}
    rows = [f"{told[name]:.1f}\t{name}\n" for name in sorted(told) if told[name] >= LEAST_SECONDS]
    SECONDS.write_text("".join(rows), encoding="utf-8")


def reason_to_wait(item: pytest.Item, turn: int | None) -> str:
    """Return why this test is not in this run, or nothing."""
    taken = seconds().get(item.nodeid, 0.0)
    if item.get_closest_marker("long"):
        if turn is None or not 0 < taken <= MOST_SECONDS or item.get_closest_marker("limit"):
            return "long: script/test --long runs it"
        return "" if _has_turn(item.nodeid, turn, LONG) else "long: it waits for its turn"
    if turn is None or not taken or item.get_closest_marker("always"):
        return ""
    return "" if _has_turn(item.nodeid, turn, DEAR) else "dear: it waits for its turn"


def _has_turn(name: str, turn: int, parts: int) -> bool:
    return crc32(name.encode()) % parts == turn % parts
