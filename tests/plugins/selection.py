"""Which tests run: browser tests need a Chromium, long and dear ones their turn (`turns`)."""

import gc
import os
import random
import re
import shutil
from pathlib import Path

import pytest

from tests.plugins.turns import reasons_to_wait

gc.disable()  # Until all is collected: nearly all that is made now stays (tests/conftest.py).

# The shell alone is the same engine without the windows around it: two thirds of the processor.
CHROMIUMS = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


RACES = re.compile(r"races\.py|kill_|killed")


def find_chromium() -> str | None:
    """Return the path of the Chromium to test with, if this machine has one."""
    named = os.environ.get("CHROMIUM")
    for candidate in (named,) if named else CHROMIUMS:
        if found := shutil.which(candidate):
            return found
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long tests too")
    parser.addoption("--again", action="store_true", help="a second look: what is named runs")
    parser.addoption("--word", default="", help="only tests with this in their path or name")
    parser.addoption("--browser", action="store_true", help="with --word: browser tests too")
    parser.addoption("--shuffle", metavar="SEED", help="order modules and their tests by chance")


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("TIENLEN_REQUIRE_BROWSER") == "1" and find_chromium() is None:
        raise pytest.UsageError(
            "TIENLEN_REQUIRE_BROWSER=1 but no Chromium was found: "
            "install one, or set CHROMIUM to its path."
        )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare the import of files in which no path and no line has the word."""
    word = config.getoption("--word").lower()
    if not word or collection_path.suffix != ".py" or word in str(collection_path).lower():
        return None
    return word not in collection_path.read_text(encoding="utf-8").lower() or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _choose(config, items)
    no_chromium = find_chromium() is None
    asked = config.getoption("--long") or config.getoption("--again")
    waits = {} if asked else reasons_to_wait(items, config.getoption("--turn"))
    for item in items:
        if finds_once(item):
            item.add_marker(pytest.mark.once)
        reason = waits.get(item.nodeid, "")
        if no_chromium and item.get_closest_marker("browser"):
            reason = "no Chromium was found: install one, or set CHROMIUM to its path"
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))
    if seed := config.getoption("--shuffle"):
        items[:] = shuffled(items, seed)
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = dealt(items, workers)


def finds_once(item: pytest.Item) -> bool:
    """Return whether a test is a race or a kill: when it fails, passing again proves nothing."""
    code = getattr(getattr(item, "function", None), "__code__", None)
    return bool(RACES.search(item.nodeid)) or (code is not None and "race" in code.co_names)


def _choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that have the word in their path or name, without browsers unless asked."""
    if not (word := config.getoption("--word").lower()):
        return
    chosen = [
        item
        for item in items
        if word in item.nodeid.lower()
        and (config.getoption("--browser") or not item.get_closest_marker("browser"))
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in {*chosen}])
    items[:] = chosen


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests with the quick ones at the head of each worker's share, the dear ones next.

    xdist gives each worker one piece of the list, and what is left of the longest to who is done.
    """
    quick = [item for item in items if segment(item) == 2 and "/launcher/" not in item.nodeid]
    known = {*quick}
    rest = [item for item in items if item not in known]
    # Those that may take longer, and those that wait for whole programs to start.
    rest.sort(
        key=lambda item: (not item.get_closest_marker("limit"), "/launcher/" not in item.nodeid)
    )
    ordered: list[pytest.Item] = []
    for left in range(workers, 0, -1):
        share = (len(quick) + len(rest)) // left
        head = len(quick) // left
        ordered += quick[:head] + rest[: share - head]
        del quick[:head], rest[: share - head]
    return ordered


def shuffled(items: list[pytest.Item], seed: str) -> list[pytest.Item]:
    """Return modules by chance and their tests by chance, without mixing pytest-django's segments.

    Tests of a module stay together: they share a world, which ends when real transactions begin.
    """
    chance = random.Random(seed)
    modules: dict[tuple[int, str], list[pytest.Item]] = {}
    for item in items:
        modules.setdefault((segment(item), item.nodeid.partition("::")[0]), []).append(item)
    order = [*modules]
    chance.shuffle(order)
    order.sort(key=lambda key: key[0])
    for key in order:
        chance.shuffle(modules[key])
    return [item for key in order for item in modules[key]]


def segment(item: pytest.Item) -> int:
    """Return where pytest-django puts a test: 0 with a database, 1 with real transactions, or 2."""
    marker, fixtures = item.get_closest_marker("django_db"), getattr(item, "fixturenames", ())
    if (marker and marker.kwargs.get("transaction")) or "transactional_db" in fixtures:
        return 1
    return 0 if marker or "db" in fixtures else 2


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the Chromium that browser tests drive."""
    found = find_chromium()
    assert found is not None, "a test without the browser marker asks for a browser"
    return found
