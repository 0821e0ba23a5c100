"""How often one address may open tables or sit down: whoever asks more waits a while."""

from __future__ import annotations

from contextlib import suppress

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from tables.services.errors import Refused


def check(request: HttpRequest, what: str) -> None:
    """Counts what an address asks for; raises `Refused` when it is too much.

    `what` is a key of `TABLES_PER_ADDRESS`. A club's hall has one address for everybody, so the
    limits leave room for all of them. Without the cache nobody is stopped.
    """
    most, seconds = settings.TABLES_PER_ADDRESS[what]
    key = f"tables-{what}:{get_adapter().get_client_ip(request)}"
    count = 1
    with suppress(RedisError):
        try:
            count = cache.incr(key)
        except ValueError:  # It is the first, or the time of the others is over.
            cache.add(key, 1, seconds)
    if count > most:
        raise Refused("too_often")
