"""Which of the dear tests a whole run takes: each waits for its turn, which the commit chooses.

A test that took LEAST_SECONDS or more (tests/data/seconds.tsv) is dear: one commit in DEAR runs it,
as one in LONG runs what is marked `long`, so that none of them rots. Marked `always`, it runs each
time. A run of some tests, by name or with --long, takes all that it was asked for.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from tests.plugins.place import ROOT

SECONDS = ROOT / "tests/data/seconds.tsv"
LEAST_SECONDS = 1.0
DEAR, LONG = 40, 60
MOST_SECONDS = 60
"""What is marked `long` and takes more runs with --long alone, as does what nobody measured."""
_LONG = "long: script/test --long runs it"


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


def reasons_to_wait(items: Sequence[pytest.Item], turn: int | None) -> dict[str, str]:
    """Return why each test that is not in this run waits, by its name."""
    taken = seconds()
    long = [item for item in items if item.get_closest_marker("long")]
    if turn is None:
        return dict.fromkeys((item.nodeid for item in long), _LONG)
    short = [
        item.nodeid
        for item in long
        if 0 < taken.get(item.nodeid, 0) <= MOST_SECONDS and not item.get_closest_marker("limit")
    ]
    dear = [
        item.nodeid
        for item in items
        if item.nodeid in taken
        and not (item.get_closest_marker("long") or item.get_closest_marker("always"))
    ]
    reasons = dict.fromkeys((item.nodeid for item in long), _LONG)
    for kind, names, parts in (("long", short, LONG), ("dear", dear, DEAR)):
        for share, name in _shared_out(names, parts):
            reasons[name] = "" if share == turn % parts else f"{kind}: it waits for its turn"
    return {name: reason for name, reason in reasons.items() if reason}


def _shared_out(names: Sequence[str], parts: int) -> Iterator[tuple[int, str]]:
    """Yield each test with its share, the dearest first: to and fro, so that no share is dearer."""
    for at, name in enumerate(sorted(names, key=lambda name: (-seconds()[name], name))):
        row, share = divmod(at, parts)
        yield parts - 1 - share if row % 2 else share, name
