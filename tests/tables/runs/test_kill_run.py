"""The command of docs/reliability.md, small: two runs that must be equal."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

NOT_OURS = ("TIENLEN_DATA", "TEST_DATABASE", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL")


@pytest.mark.long
def test_a_run_survives_killed_workers_and_restarted_servers():
    environment = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
    done = subprocess.run(
        [sys.executable, "script/kill-run", "4000", "8", "--restarts", "2"],
        cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, timeout=600,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Equal."), done.stderr
    assert "| workers killed | 0 | 8 |" in done.stdout
