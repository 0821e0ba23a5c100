"""How often one address may open tables or sit down: one that asks more waits a while."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from accounts.addresses import prefix_of
from tables.refusals import TableRefusal


def check(request: HttpRequest, what: str) -> None:
    """Count what an address asks for; raises `TableRefusal` when it is too much.

    `what` is a key of `TABLES_PER_ADDRESS`. A club's hall has one address for everyone, so the
    limits leave room for all of them.
    """
    most, seconds = settings.TABLES_PER_ADDRESS[what]
    key = f"tables-{what}:{prefix_of(request)}"
    count = 1
    try:
        count = cache.incr(key)
    except ValueError:  # It is the first, or the time of the others is over.
        cache.add(key, 1, seconds)
    if count > most:
        raise TableRefusal("too_often", status=429)
