"""The command of docs/reliability.md, small: two runs that must be equal."""

import pytest

from tests.lab import run


@pytest.mark.long
def test_a_run_survives_killed_workers_and_restarted_servers():
    said = run("kill-run", "4000", "8", "--restarts", "2")
    assert said.splitlines()[-1] == "Equal."
    assert "| workers killed | 0 | 8 |" in said
