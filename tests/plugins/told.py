"""Shows each failure when it comes, and writes what became of every test as JSON.

script/test names the file by TOLD, and looks a second time at what failed (script/checks.py).
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

PHASES = {"setup", "call", "teardown"}
FIRM = {"once", "hypothesis"}
"""Markers of tests that may find a fault once and never again: races, kills, properties."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "once: finds now and then what is always there")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Told(config))


class Told:
    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.file = os.environ.pop("TOLD", "")  # Not for what a test starts.
        self.collected: set[str] = set()
        self.passed: dict[str, set[str]] = defaultdict(set)
        self.failed: dict[str, str] = {}
        self.skipped: set[str] = set()
        self.firm: set[str] = set()
        self.uncollected: list[str] = []
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.uncollected.append(report.nodeid)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.collected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Iterable[str]) -> None:
        self.collected.update(ids)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name, phase = report.nodeid, str(report.when)
        self.seconds[name] += report.duration
        if report.passed:
            self.passed[name].add(phase)
        elif report.skipped:
            self.skipped.add(name)
        else:
            self._show(report)
            self.failed.setdefault(name, f"{phase}: {first_line(report)}")
            if FIRM & {*report.keywords} or phase not in PHASES:  # A process that crashed.
                self.firm.add(name)

    def _show(self, report: pytest.TestReport) -> None:
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None or self.config.option.tbstyle == "no":
            return
        terminal.ensure_newline()
        terminal.section(f"{report.nodeid} ({report.when})", sep="_", red=True)
        terminal.write_line(report.longreprtext)
        for title, text in report.sections:
            terminal.section(title, sep="-")
            terminal.write_line(text.rstrip())

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        failed, skipped = {*self.failed}, self.skipped - {*self.failed}
        passed = {name for name in self.passed if self.passed[name] == PHASES} - failed - skipped
        if self.file:
            told = {
                "passed": sorted(passed),
                "failed": self.failed,
                "skipped": sorted(skipped),
                "firm": sorted(self.firm),
                "unknown": sorted(self.collected - passed - failed - skipped),
                "uncollected": self.uncollected,
                "seconds": {name: self.seconds[name] for name in passed},
            }
            Path(self.file).write_text(json.dumps(told))
        self.config.option.tbstyle = "no"  # Each was shown when it came.


def first_line(report: pytest.TestReport) -> str:
    """Return what a failure says first: its error, or what crashed."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else report.longreprtext
    return text.strip().partition("\n")[0][:200]
