"""Telling open pages that a table has changed: PostgreSQL sends it when the change is committed."""

from __future__ import annotations

from django.db import connection

from tables.models import Table

CHANNEL = "tables_live"


def changed(table: Table) -> None:
    """Says the table's key and version to every web process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{table.key}:{table.version}"])
