"""Locks on rows that one change at a time may hold: a table's, or in the league a night's.

A waiting request blocks one of the web process's few threads. So one request of the process waits
up to `LONGEST` for a locked row and the others up to `SHORT`. A request gives up at once if another
one has waited for the same row for longer than `SHORT` or has just timed out: the holder may itself
wait for a lock. So one locked row never blocks all threads.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)

LONGEST, SHORT = 3.0, 0.8  # Seconds.

in_web: ContextVar[bool] = ContextVar("in_web", default=False)
"""Whether the code runs in a web request, whose thread other requests need."""

_guard = threading.Lock()
_waiting: dict[object, tuple[str, float]] = {}
_in_vain: dict[str, float] = {}


class Busy(OperationalError):
    """A refusal to wait for a lock that others wait for in vain, or have just waited for."""


def take(rows: QuerySet[Row], pk: int | str) -> Row:
    """Return the row with this key, locked until the transaction ends.

    Rows that the query joins are not locked, and others may still insert rows that refer to it.
    Raise the model's `DoesNotExist`, or `OperationalError` if the row stays locked for too long.
    """
    rows = rows.filter(pk=pk)
    if in_web.get():
        for row in rows.select_for_update(of=("self",), no_key=True, skip_locked=True):
            return row
        with _waits(f"{rows.model.__name__} {pk}") as seconds, connection.cursor() as cursor:
            _limit(cursor, seconds)
            return rows.select_for_update(of=("self",), no_key=True).get()
    return rows.select_for_update(of=("self",), no_key=True).get()


def enter(space: int, key: int, *, alone: bool) -> None:
    """Take an advisory lock until the transaction ends: exclusive if `alone`, otherwise shared.

    A waiter for the exclusive lock gets it before later callers.
    """
    key %= 2**31
    lock = "advisory_xact_lock" if alone else "advisory_xact_lock_shared"
    with connection.cursor() as cursor:
        if not in_web.get():
            cursor.execute(f"SELECT pg_{lock}(%s, %s)", [space, key])
            return
        cursor.execute(f"SELECT pg_try_{lock}(%s, %s)", [space, key])
        if cursor.fetchone()[0]:
            return
        with _waits(f"room {space} {key}") as seconds:
            _limit(cursor, seconds)
            cursor.execute(f"SELECT pg_{lock}(%s, %s)", [space, key])


def _limit(cursor: CursorWrapper, seconds: float) -> None:
    """Set the lock timeout for the rest of the transaction."""
    cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{round(1000 * seconds)}ms"])


@contextmanager
def _waits(name: str) -> Iterator[float]:
    """Register a waiter and yield the seconds it may wait; raise `Busy` if waiting is hopeless."""
    now, ticket = time.monotonic(), object()
    with _guard:
        for other in [other for other, since in _in_vain.items() if now - since > LONGEST]:
            del _in_vain[other]
        waited = [now - since for other, since in _waiting.values() if other == name]
        if name in _in_vain or max(waited, default=0) > SHORT:
            raise Busy(f"{name} is held, and others wait for it")
        seconds = SHORT if _waiting else LONGEST
        _waiting[ticket] = name, now
    try:
        yield seconds
    except OperationalError:
        with _guard:
            _in_vain[name] = time.monotonic()
        raise
    finally:
        with _guard:
            del _waiting[ticket]
