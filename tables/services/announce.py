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
    """What is said of a table that has changed: its key, and what this state of it is called."""
    return f"{table.key}:{name_of(table)}"


def name_of(table: Table) -> str:
    """What no two states of a table share, not even when a database lost the newest of them."""
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
