"""Writes down which lines of the product and which templates each test reaches, and its seconds.

Used by script/lab/plant_faults.py alone: `-p tests.plugins.reach`, into the folder REACH.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest
from django.template import Template
from django.test.signals import template_rendered

FOLDER = Path(os.environ["REACH"])
PACKAGES = ("accounts", "config", "engine", "launcher", "league", "tables")

_lines = coverage.Coverage(
    data_file=FOLDER / f"lines-{os.getpid()}",
    source=list(PACKAGES),
    omit=["*/migrations/*"],
    config_file=False,
)
_templates: set[str] = set()


def pytest_configure() -> None:
    _lines.start()
    template_rendered.connect(_note, weak=False)


def _note(template: Template, **_kwargs: object) -> None:
    if template.origin is not None:
        _templates.add(os.path.relpath(str(template.origin.name)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _lines.switch_context(item.nodeid)
    _templates.clear()
    started = time.monotonic()
    yield
    row = [item.nodeid, round(time.monotonic() - started, 3), sorted(_templates)]
    with (FOLDER / f"tests-{os.getpid()}.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    _lines.switch_context("")


def pytest_unconfigure() -> None:
    _lines.stop()
    _lines.save()
