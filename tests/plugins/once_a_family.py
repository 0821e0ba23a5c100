"""Stops each family of tests at its first failure, and writes what became of it as JSON.

Used by script/lab/plant_faults.py alone, which names the file by FAMILIES.
"""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

_ran: Counter[str] = Counter()
_failed: dict[str, str] = {}


def family_of(nodeid: str) -> str:
    """Return the folder of a test, or of what lies beside the folders `tests`."""
    folders = nodeid.split("::")[0].split("/")[:-1]
    return "/".join(folders[1:3]) or "house"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if family_of(item.nodeid) in _failed:
        pytest.skip("its family has seen the fault")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    family = family_of(report.nodeid)
    _ran[family] += report.when == "call"
    if report.failed:
        _failed.setdefault(family, report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _failed.setdefault(family_of(report.nodeid), report.nodeid)


def pytest_unconfigure() -> None:
    found = {"ran": dict(_ran), "failed": _failed}
    Path(os.environ["FAMILIES"]).write_text(json.dumps(found))
