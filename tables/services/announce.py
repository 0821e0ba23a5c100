"""Telling open pages that a table has changed: PostgreSQL sends it when the change is committed."""

from __future__ import annotations

from django.db import connection

from tables.models import Table

CHANNEL = "tables_live"
TALK = "talk"
ACCOUNT = "~"
"""What the name of an account's own news begins with: no table's key does."""


def changed(table: Table) -> None:
    """Says the table's key and versions to every web process."""
    _notify(news(table))


def news(table: Table) -> str:
    """What is said of a table that has changed."""
    return f"{table.key}:{table.version}:{table.access_version}"


def talked(table: Table) -> None:
    """Says to every web process that something was said at the table."""
    _notify(f"{table.key}:{TALK}")


def account(user_id: int) -> None:
    """Says to every web process that a program may have something new to do."""
    _notify(f"{ACCOUNT}{user_id}:0")


def _notify(payload: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])
