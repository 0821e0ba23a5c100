"""The command of docs/performance.md and docs/arena.md, small."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

from tests.tables.runs.test_kill_run import NOT_OURS


def bench(*arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
    return subprocess.run(
        [sys.executable, "script/bench-arena", *arguments],
        cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=600,
        check=True,
    ).stdout  # fmt: skip


def test_it_measures_bots_by_ruleset():
    said = bench("--part", "bots", "--seconds", "0.02", "--bots", "greedy", "--ruleset", "killa")
    assert said.count("| ruleset | greedy |") == said.count("| killa |") == 2


@pytest.mark.long
def test_it_measures_units_workers_and_the_database():
    said = bench("--part", "units", "workers", "--games", "400", "--workers", "1")
    assert "| games of a block | 200 | 200 |" in said
    assert "| for a million games: statements | " in said
    assert "\n| 1 | " in said
