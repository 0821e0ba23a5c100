"""Time limits in PostgreSQL for each kind of work.

A waiting statement holds a thread or a process, and an idle transaction holds its rows. Above a
limit PostgreSQL cancels the statement, nothing is saved, and the caller is asked to try again.
Waiting for the row of a night, season, club or table has a shorter limit (`tables.base.row_locks`).
"""

from typing import NamedTuple

import psycopg
from django.conf import settings


class WaitLimits(NamedTuple):
    """The limits of a kind of work in seconds; 0 means no limit."""

    kind: str
    statement: float
    lock: float
    idle: float
    """Between two statements of a transaction."""


COMMAND = WaitLimits("command", 0, 60, 0)
PAGE = WaitLimits("page", 20, 2, 60)
TASK_LOCK = 5.0
MIGRATION_LOCK = 1.0
"""Shorter than a page's, because later statements queue behind a waiting migration."""

_SET = """
    SELECT set_config('application_name', %s, false),
        set_config('statement_timeout', %s, false),
        set_config('lock_timeout', %s, false),
        set_config('idle_in_transaction_session_timeout', %s, false)
"""
_now = COMMAND


def task(seconds: float) -> WaitLimits:
    """Return the limits of a task that may take `seconds` in all."""
    return WaitLimits("task", seconds, TASK_LOCK, seconds)


def use(limits: WaitLimits) -> None:
    """Set the limits of this process's work from now on."""
    global _now
    _now = limits


def bind(connection: psycopg.Connection) -> bool:
    """Set this process's limits on a connection that has others; return False if it is dead.

    Behind a pooler they would stay on the server's connection, which others use next: there the
    database role has the limits (docs/association.md).
    """
    if getattr(connection, "limits", None) == _now:
        return True
    if not settings.DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"]:
        limits = [f"{round(1000 * seconds)}ms" for seconds in _now[1:]]
        try:
            connection.execute(_SET, [f"tienlen {_now.kind}", *limits])
        except psycopg.Error:
            return False
    connection.limits = _now  # type: ignore[attr-defined]
    return True
