"""What lets a page listen: a signed text that names a table and soon ends."""

from __future__ import annotations

from django.core import signing

from tables.models import Table

SALT = "tables.live"
SECONDS = 600


def make(table: Table) -> str:
    """A token for the table's stream; a new `access_version` revokes it."""
    return signing.dumps([table.key, table.access_version], salt=SALT)


def read(token: str) -> tuple[str, int] | None:
    """The table's key and access version, or None for a token that is wrong or too old."""
    try:
        key, access = signing.loads(token, salt=SALT, max_age=SECONDS)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return str(key), int(access)
