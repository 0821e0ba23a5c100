"""What lets a page listen: a signed text that names a table and soon ends."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from django.core import signing
from django.utils import timezone

from tables.models import Table

SALT = "tables.live"
SECONDS = 600


class Ticket(NamedTuple):
    """What a token allows: to listen to a table under this access version, until then."""

    key: str
    access: int
    until: datetime.datetime


def make(table: Table) -> str:
    """A token for the table's stream; a new `access_version` revokes it."""
    until = timezone.now() + datetime.timedelta(seconds=SECONDS)
    return signing.dumps([table.key, table.access_version, int(until.timestamp())], salt=SALT)


def read(token: str) -> Ticket | None:
    """What the token allows; None for one that is wrong or whose time is over."""
    try:
        key, access, until = signing.loads(token, salt=SALT, max_age=SECONDS)
        end = datetime.datetime.fromtimestamp(int(until), datetime.UTC)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return Ticket(str(key), int(access), end) if end > timezone.now() else None
