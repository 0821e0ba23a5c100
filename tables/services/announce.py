"""Telling open pages that a table has changed: PostgreSQL sends it when the change is committed."""

from __future__ import annotations

from django.db import connection

from tables.models import Table

CHANNEL = "tables_live"
TALK = "talk"
ACCOUNT = "~"
"""What the name of an account's own news begins with: no table's key does."""


def changed(table: Table) -> None:
    """Tells every web process that the table is another one now."""
    _notify(news(table))


def news(table: Table) -> str:
    """Return what is said of a changed table: its key, and what its state is called."""
    return f"{table.key}:{name_of(table)}"


def name_of(table: Table) -> str:
    """Return what no two states of a table share, even if a database lost the newest."""
    due = table.due_at.isoformat() if table.due_at else ""
    return f"{table.version}:{table.access_version}:{due}"


def talked(table: Table) -> None:
    """Says to every web process that something was said at the table."""
    _notify(f"{table.key}:{TALK}")


def account(user_id: int) -> None:
    """Says to every web process that a program may have something new to do."""
    _notify(f"{ACCOUNT}{user_id}:0")


def _notify(payload: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])
