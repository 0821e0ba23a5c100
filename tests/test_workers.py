"""What a worker does between two tasks."""

import datetime
import gc
import os
from types import SimpleNamespace

import pytest
from celery import signals
from celery.worker import state
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone
from kombu import Connection

from config import pulse
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


@pytest.fixture
def channel():
    """A worker's channel that may hold one message."""
    with Connection("memory://") as broker:
        channel = broker.channel()
        channel.basic_qos(0, 1, False)
        yield channel


@pytest.mark.parametrize("has_task", [False, True])
def test_a_worker_that_waits_for_a_message_that_is_done_ends(monkeypatch, channel, has_task):
    """As after an acknowledgement that found no Valkey."""
    monkeypatch.setattr(state, "should_stop", None)
    monkeypatch.setattr(state, "reserved_requests", {"a task"} if has_task else set())
    consumer = SimpleNamespace(task_consumer=SimpleNamespace(channel=channel))
    looks, worker = [], SimpleNamespace(hostname="worker@here", consumer=consumer)
    for _look in range(3):
        pulse._end_if_deaf(worker, looks)
    assert state.should_stop is None
    channel.qos.append(object(), "a message")
    pulse._end_if_deaf(worker, looks)
    assert state.should_stop is None, "it may be between two of them"
    pulse._end_if_deaf(worker, looks)
    assert state.should_stop == (None if has_task else os.EX_TEMPFAIL)


def test_a_worker_that_looks_for_its_broker_goes_on(monkeypatch):
    monkeypatch.setattr(state, "should_stop", None)
    looks = []
    for consumer in (None, SimpleNamespace(task_consumer=None)):
        worker = SimpleNamespace(hostname="worker@here", consumer=consumer)
        for _look in range(3):
            pulse._end_if_deaf(worker, looks)
    assert state.should_stop is None
