"""Only a bot's own seconds count against it: every kind of bot outlives every limit of ours.

A real worker plays with limits that are shorter than any game here (`tests.short_limits`).
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from engine import bots
from engine.rules import ruleset
from tables import tasks
from tables.bots.acts import uploads
from tables.bots.facts import member_bots
from tables.models import Run, Upload
from tables.programs import config, uploaded
from tables.runs import runs
from tests import short_limits
from tests.factories import make_user
from tests.league.arena.test_own_bots import packed
from tests.tables.runs.test_worker_killed import wait_until, workers

pytestmark = pytest.mark.django_db(transaction=True)

CLASS = """
import time

class Bot:
    version = 1

    def __init__(self, seed):
        pass

    def choose(self, observation, legal):
        time.sleep(0.2 if len(legal) > 1 else 0)
        return legal[0]
"""
PROGRAM = """
import json, sys, time

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    if message["type"] == "turn":
        time.sleep(0.2 if len(message["legal"]) > 1 else 0)
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""
# Each thinks 0.2 s where it has a choice; what is not trusted has a second for it.
LISTED = """
[bots.classy]
python = "slow_class:Bot"
trusted = true
[bots.jailed]
python = "slow_class:Bot"
version = 1
[bots.program]
command = [PYTHON, "-S", "-E", "program.py"]
version = 1
"""


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of bots, known here and to the worker."""
    tmp_path.chmod(0o755)  # Where the worker is root, programs are nobody.
    (tmp_path / "slow_class.py").write_text(CLASS)
    (tmp_path / "program.py").write_text(PROGRAM)
    path = tmp_path / "bots.toml"
    path.write_text(LISTED.replace("PYTHON", f'"{sys.executable}"'))
    monkeypatch.setattr(config, "PROBLEMS", [])
    monkeypatch.setattr(sys, "path", list(sys.path))
    config.register_all(path, needed=True)
    assert config.PROBLEMS == []
    yield path
    for name in ("classy", "jailed", "program"):
        bots.BOTS.pop(name)


@pytest.fixture
def start_worker(listed: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    with workers(DJANGO_SETTINGS_MODULE="tests.short_limits", TIENLEN_BOTS=str(listed)) as launch:
        yield launch


def start(*names: str, design: str = "single", deals: int = 2) -> Run:
    return runs.start_run(
        ruleset=ruleset.preset("tien-len"), bots=[*names, "lowest"], deals=deals, design=design,
        deals_per_unit=deals, seed="clock",
    )  # fmt: skip


def test_bots_within_their_limits_outlive_every_limit_of_the_server(start_worker):
    """Every kind that a worker asks; one over the network is asked by nobody here.

    `master` of the house thinks a third of a second a move without the compiled core.
    """
    upload = Upload.objects.create(
        pool="here", author=make_user(), base="sent", number=1, name="sent-1", language="python",
        body=packed(("bot.py", CLASS)), digest="x", state="sound",
    )  # fmt: skip
    member_bots.bot_of.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "BOT_UPLOADS", True)
        played = [start(name) for name in ("master", "classy", "jailed", "program", upload.name)]
        began = time.monotonic()
        start_worker()
        tasks.wake_workers()
        wait_until(lambda: not Run.objects.filter(status="running").exists(), 400)
    assert time.monotonic() - began > 5 * short_limits.CELERY_TASK_TIME_LIMIT
    for run in played:
        assert [
            (unit.state, unit.games, unit.faults, unit.failures, unit.trace)
            for unit in run.units.all()
        ] == [("done", 2, 0, 0, "")], run.bots
        thinking = run.units.get().moments["thinking"]
        assert thinking[0][1] > 1e6 * short_limits.CELERY_TASK_TIME_LIMIT, "no less is noted"


def test_a_check_takes_as_long_as_a_bot_may(start_worker, monkeypatch):
    monkeypatch.setattr(settings, "BOT_UPLOADS", True)
    upload = uploads.add_upload(
        pool="here", author=make_user(), base="slow", body=packed(("bot.py", CLASS))
    )
    worker = start_worker()
    tasks.check_uploads.apply_async()
    found = Upload.objects.filter(pk=upload.pk)
    wait_until(lambda: found.filter(checked__gte=2).exists())
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    before = found.get().checked
    found.update(held_until=None)
    start_worker()
    tasks.check_uploads.apply_async()
    wait_until(lambda: found.filter(checked__gt=before).exists())
    now = found.get()
    assert (now.state, now.report) == ("waiting", "")
    assert before < now.checked <= before + 2, "it goes on where it was"
    assert uploaded.LIMITS.seconds == 1.0
