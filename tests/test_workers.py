"""What a worker does between two tasks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.db import connection

from config.celery import app
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
