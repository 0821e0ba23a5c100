"""What a worker does between two tasks."""

import datetime
import gc
from types import SimpleNamespace

import pytest
from celery import signals
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from config.celery import app
from engine.core import store
from league.tasks import clear_sessions
from tables.tasks import sweep_runs

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_pool_of_connections_lasts_from_task_to_task(monkeypatch):
    fixup = app._fixups[0].worker_fixup
    monkeypatch.setattr(fixup, "worker", SimpleNamespace(pool_cls="prefork"))
    connection.ensure_connection()
    pool = connection.pool
    fixup.on_task_postrun(sender=sweep_runs)
    assert connection.connection is None  # It rests in the pool.
    fixup.on_task_prerun(sender=sweep_runs)
    connection.ensure_connection()
    assert (connection.pool, pool.closed) == (pool, False)


def test_what_is_loaded_is_not_collected_in_every_process_of_a_worker(monkeypatch):
    monkeypatch.setattr(store, "use", lambda: None)
    before = gc.get_threshold()
    gc.unfreeze()
    try:
        signals.worker_init.send(sender=None)
        assert gc.get_freeze_count() > 100_000
    finally:
        gc.set_threshold(*before)  # As for all other tests.
        gc.freeze()


def test_sessions_whose_time_is_over_are_thrown_away():
    for key, days in (("over", -1), ("on", 1)):
        until = timezone.now() + datetime.timedelta(days=days)
        Session.objects.create(session_key=key, session_data="", expire_date=until)
    clear_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["on"]
    assert "league.clear_sessions" in {
        entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()
    }
