"""How long each kind of work may wait in PostgreSQL before it gives up.

Work that waits holds a thread or a process, and a transaction that rests holds its rows: neither
may do so for ever. Over a limit PostgreSQL ends the statement, nothing of it is saved, and all who
asked is told to try again. A change that waits for one night's, season's, club's or table's row has
a shorter one (`tables.row_locks`).
"""

from __future__ import annotations

from typing import NamedTuple

import psycopg
from django.conf import settings


class WaitLimits(NamedTuple):
    """What a kind of work may take, in seconds; 0 for no limit."""

    kind: str
    statement: float
    lock: float
    idle: float
    """In a transaction, between two statements."""


COMMAND = WaitLimits("command", 0, 60, 0)
PAGE = WaitLimits("page", 20, 2, 60)
TASK_LOCK = 5.0
MIGRATION_LOCK = 1.0
"""Shorter than a page's: whatever comes after a migration that waits has to wait behind it."""

_SET = """
    SELECT set_config('application_name', %s, false),
        set_config('statement_timeout', %s, false),
        set_config('lock_timeout', %s, false),
        set_config('idle_in_transaction_session_timeout', %s, false)
"""
_now = COMMAND


def task(seconds: float) -> WaitLimits:
    """Return the limits of a task that may take so long altogether."""
    return WaitLimits("task", seconds, TASK_LOCK, seconds)


def use(limits: WaitLimits) -> None:
    """Let what this process does from now on have these limits."""
    global _now
    _now = limits


def bind(connection: psycopg.Connection) -> bool:
    """Give a connection the limits of this process, where it has others; False where it is dead.

    Behind a pooler they would stay with the server's end of the line, which others use next: there
    the role has them (docs/association.md).
    """
    if getattr(connection, "limits", None) == _now:
        return True
    if not settings.DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"]:
        try:
            connection.execute(_SET, [f"tienlen {_now.kind}", *map(_milliseconds, _now[1:])])
        except psycopg.Error:
            return False
    connection.limits = _now  # type: ignore[attr-defined]
    return True


def _milliseconds(seconds: float) -> str:
    return f"{round(1000 * seconds)}ms"
