"""Connections to PostgreSQL: one whose server hung up is not handed out (config/postgres)."""

import re
import select
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import DataError, connection, connections, transaction

from config.postgres.base import DatabaseWrapper, is_alive
from league.models import Event
from tests.factories import make_night
from tests.plugins.emptying import empty
from tests.races import wait_until_it_blocks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pooled() -> Iterator[DatabaseWrapper]:
    """A wrapper of the test's database as a request has one: its connections come from a pool."""
    # Closed by an earlier test, it would take from the pool the very connection that is ended.
    connections["default"].ensure_connection()
    wrapper = connection.copy()
    assert isinstance(wrapper, DatabaseWrapper)
    assert wrapper.pool
    yield wrapper
    wrapper.close()


def backend(wrapper: DatabaseWrapper) -> int:
    """The server's process behind the connection."""
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        found = cursor.fetchone()
    assert found is not None
    return int(found[0])


def end(pid: int) -> None:
    """Ends a process of the server, and waits until it hung up."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])


def test_a_connection_whose_server_has_gone_is_not_handed_out(pooled: Any) -> None:
    first = backend(pooled)
    pooled.close()
    end(first)
    for _ in range(pooled.pool.max_size):
        assert backend(pooled) != first
        pooled.close()


def test_what_waits_at_a_connection_is_not_always_its_end(pooled: Any) -> None:
    backend(pooled)
    pooled.connection.execute("LISTEN something")
    with connections["default"].cursor() as cursor:
        cursor.execute("NOTIFY something")
    came, _, _ = select.select([pooled.connection.pgconn.socket], [], [], 10)
    assert came
    assert is_alive(pooled.connection)


OF_A_SESSION = re.compile(
    r"advisory_lock(_shared)?\b|[\"']LISTEN |\bTEMP(ORARY)? TABLE|WITH HOLD"
    r"|set_config\([^)]*, false|[\"']SET (?!LOCAL|TRANSACTION|CONSTRAINTS)"
)
"""What stays with a connection beyond a transaction, which a pooler then hands to another."""


def test_nothing_outlives_its_transaction_but_limits_and_listening() -> None:
    parts = ("accounts", "config", "league", "tables")
    files = [path for part in parts for path in Path(settings.BASE_DIR, part).rglob("*.py")]
    found = {
        path.name
        for path in files
        if "migrations" not in path.parts and OF_A_SESSION.search(path.read_text())
    }
    # Limits are left out behind a pooler, and who listens has a line past it.
    assert found == {"waiting.py", "announcements.py"}


@pytest.mark.parametrize("stake", [3_000_000_000, 4_294_977_296, -1 - 2**31])
def test_a_number_that_its_column_cannot_hold_is_not_saved_as_another(stake):
    night = make_night()
    with pytest.raises(DataError):
        Event.objects.filter(pk=night.pk).update(stake=stake)
    night.stake = stake
    with pytest.raises(DataError):
        night.save()
    night.refresh_from_db()
    assert night.stake == 0
    assert not Event.objects.filter(stake=stake).exists(), "a search finds nothing"


def test_the_emptying_after_a_test_lets_a_request_end_that_it_waits_for():
    with ThreadPoolExecutor(1) as other:
        with transaction.atomic(), connection.cursor() as cursor:
            make_night()
            emptied = other.submit(lambda: (empty(), connections.close_all()))
            wait_until_it_blocks()
            cursor.execute("SELECT FROM account_emailaddress")  # Locked by who waits for this one.
        emptied.result(timeout=60)
    assert not Event.objects.exists()
