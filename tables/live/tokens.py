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
    """What a token allows: to listen to a table under this access version, until then.

    `watches` is for a page of someone who does not sit there.
    """

    key: str
    access: int
    until: datetime.datetime
    watches: bool = False


def make(table: Table, *, watches: bool = False) -> str:
    """Return a token for the table's stream; a new `access_version` revokes it."""
    until = timezone.now() + datetime.timedelta(seconds=SECONDS)
    told = [table.key, table.access_version, int(until.timestamp()), watches]
    return signing.dumps(told, salt=SALT)


def read(token: str) -> Ticket | None:
    """Return what the token allows; None for one that is wrong or whose time is over."""
    try:
        key, access, until, watches = signing.loads(token, salt=SALT, max_age=SECONDS)
        end = datetime.datetime.fromtimestamp(int(until), datetime.UTC)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return Ticket(str(key), int(access), end, bool(watches)) if end > timezone.now() else None
