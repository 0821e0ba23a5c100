"""Notifications of table changes to open pages, sent by PostgreSQL at commit."""

from django.db import connection

from tables.models import Table

CHANNEL = "tables_live"
TALK = "talk"
ACCOUNT = "~"
"""Prefix of an account's notifications; no table key starts with it."""


def changed(table: Table) -> None:
    """Notify every web process that the table changed."""
    _notify(news(table))


def news(table: Table) -> str:
    """Return the notification of a changed table: its key and the name of its state."""
    return f"{table.key}:{name_of(table)}"


def name_of(table: Table) -> str:
    """Return a name of the table's state that stays unique if a database lost the newest states."""
    due = table.due_at.isoformat() if table.due_at else ""
    return f"{table.version}:{table.access_version}:{due}"


def talked(table: Table) -> None:
    """Notify every web process of a new message at the table."""
    _notify(f"{table.key}:{TALK}")


def account(user_id: int) -> None:
    """Notify every web process that the account's program may have something new to do."""
    _notify(f"{ACCOUNT}{user_id}:0")


def _notify(payload: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])
