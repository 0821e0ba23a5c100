"""Tokens with which a page opens a table's stream: signed, and valid for `SECONDS`."""

import datetime
from typing import NamedTuple

from django.core import signing
from django.utils import timezone

from tables.base.fifo_cache import FifoCache
from tables.models import Table

SALT = "tables.live"
SECONDS = 600
FRESH = 60


_made: FifoCache[tuple[str, int, int, int], tuple[int, str]] = FifoCache(2000)


class Ticket(NamedTuple):
    """The content of a token: a table, its access version, and when the token expires.

    `seat` is the key of the player's seat, 0 on the page of a spectator. `watcher` is the key of
    the account by which a spectator may watch a table opened for others, 0 without one.
    """

    key: str
    access: int
    until: datetime.datetime
    seat: int = 0
    watcher: int = 0


def make(table: Table, *, seat: int = 0, watcher: int = 0) -> str:
    """Return a token for the table's stream; a new `access_version` revokes it.

    In its first minute it is given again: a page gets one with every move.
    """
    mine = table.key, table.access_version, seat, watcher
    until = int(timezone.now().timestamp()) + SECONDS
    made, token = _made.get(mine) or (0, "")
    if not until - FRESH < made <= until:
        token = signing.dumps([table.key, table.access_version, until, seat, watcher], salt=SALT)
        _made.put(mine, (until, token))
    return token


def read(token: str) -> Ticket | None:
    """Return the token's content; None if it is invalid or has expired."""
    try:
        key, access, until, *who = signing.loads(token, salt=SALT, max_age=SECONDS)
        seat, watcher = map(int, [*who, 0][:2])  # A page of an older release has no watcher.
        end = datetime.datetime.fromtimestamp(int(until), datetime.UTC)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    found = Ticket(str(key), int(access), end, seat, watcher)
    return found if end > timezone.now() else None
