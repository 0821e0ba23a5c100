"""Taking a row that one change at a time may have: a table's, or in the league a night's.

Who waits for it in a web process holds one of few threads. So there it is taken at once where it is
free; where it is not, one request of the process waits for some seconds, others for less than one,
and none where someone waits in vain already, or has just done so: who holds the row may wait for
another one. One row that stays locked never keeps all threads.
"""

from __future__ import annotations

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
"""Whether this is a request, whose thread others need."""

_guard = threading.Lock()
_waiting: dict[object, tuple[str, float]] = {}
_in_vain: dict[str, float] = {}


class Busy(OperationalError):
    """Others wait for the same row already."""


def take(rows: QuerySet[Row], pk: int | str) -> Row:
    """Return the row with this key and what is joined to it, locked until the transaction ends.

    Raises its `DoesNotExist`, and `OperationalError` where someone holds it for too long. Rows
    that only refer to it are still written.
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
    """Enter the room with this number until the transaction ends: `alone`, or beside others.

    Who waits to be alone there is let in before those who come later.
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
    """Let what waits for a lock give up after so long, until the transaction ends."""
    cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{round(1000 * seconds)}ms"])


@contextmanager
def _waits(name: str) -> Iterator[float]:
    """Count one more who waits for this row, for so long; raise `Busy` where it is in vain."""
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
