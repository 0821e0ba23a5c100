"""Which tests run: browser tests need a Chromium, long ones are asked for with --long."""

import gc
import os
import shutil

import pytest

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


def find_chromium() -> str | None:
    """Return the path of the Chromium to test with, if this machine has one."""
    named = os.environ.get("CHROMIUM")
    for candidate in (named,) if named else CHROMIUMS:
        if found := shutil.which(candidate):
            return found
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long tests too")


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("TIENLEN_REQUIRE_BROWSER") == "1" and find_chromium() is None:
        raise pytest.UsageError(
            "TIENLEN_REQUIRE_BROWSER=1 but no Chromium was found: "
            "install one, or set CHROMIUM to its path."
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    skips = {}
    if find_chromium() is None:
        skips["browser"] = "no Chromium was found: install one, or set CHROMIUM to its path"
    if not config.getoption("--long"):
        skips["long"] = "long: script/test --long runs it"
    # pytest-django puts tests without a database last, and these wait for whole programs to start.
    items.sort(key=lambda item: "tests/launcher/" not in item.nodeid)
    for item in items:
        if item.get_closest_marker("browser"):
            # A browser on a busy machine may miss a moment once; the summary says so (RERUN).
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(3600))
        for marker, reason in skips.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the Chromium that browser tests drive."""
    found = find_chromium()
    assert found is not None, "a test without the browser marker asks for a browser"
    return found
