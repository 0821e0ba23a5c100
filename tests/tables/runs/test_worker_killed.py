"""A real Celery worker, killed in the middle of a run and started again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from engine.rules import ruleset
from tables import tasks
from tables.models import Run, Unit
from tables.runs import runs

pytestmark = pytest.mark.django_db(transaction=True)

DEALS, PER_UNIT = 36, 3


def start(seed: str) -> Run:
    return runs.start_run(
        ruleset=ruleset.preset("thirteen"),
        bots=["greedy", "greedy", "random", "random"],
        deals=DEALS,
        deals_per_unit=PER_UNIT,
        seed=seed,
    )


def wait_until(true: Callable[[], bool], seconds: float = 180) -> None:
    """Wait, and say again that there is work: another test's worker may have taken the message."""
    end, said = time.monotonic() + seconds, time.monotonic()
    while not true():
        if time.monotonic() > said + 5:
            said = time.monotonic()
            tasks.wake_workers()
        assert time.monotonic() < end, "the worker did not get there in time"
        time.sleep(0.02)


@contextmanager
def workers(**more: str) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts `celery worker -Q sim` on the tests' own database; whatever is left is ended."""
    started = []
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-Q", "sim", "-c", "1",
               "--without-gossip", "--without-mingle", "-l", "WARNING"]  # fmt: skip
    environment = os.environ | {
        "TEST_DATABASE": connection.settings_dict["NAME"],
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        **more,
    }

    def launch() -> subprocess.Popen[bytes]:
        worker = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment, start_new_session=True
        )
        started.append(worker)
        return worker

    yield launch
    for worker in started:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


@pytest.fixture
def start_worker() -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    with workers() as launch:
        yield launch


def test_a_killed_worker_changes_neither_the_number_of_games_nor_the_digest(start_worker):
    undisturbed = start("một")
    while runs.play_next(undisturbed.pk):
        pass
    runs.finish_if_done(run_id=undisturbed.pk)
    undisturbed.refresh_from_db()

    run = start("một")
    worker = start_worker()
    wait_until(lambda: run.units.filter(state="done").count() >= 2)
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    assert run.units.filter(state="done").count() < DEALS // PER_UNIT

    Unit.objects.filter(state="leased").update(lease_until=timezone.now())
    start_worker()
    tasks.sweep_runs()
    wait_until(lambda: Run.objects.get(pk=run.pk).status == "done")
    run.refresh_from_db()
    assert runs.progress(run).games == DEALS * 4
    assert run.digest == undisturbed.digest
