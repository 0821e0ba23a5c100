"""How often one address may open tables or sit down, and how many streams it may have."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.core.handlers.asgi import ASGIRequest
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


class OpenStreams:
    """The streams that pages have open in this process, by network."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def one_more(self, scope: dict[str, Any]) -> Iterator[bool]:
        """Count a stream while it is open; False where its network has as many as it may."""
        network = _network_of(scope)
        has_room = self._open[network] < settings.TABLES_STREAMS_PER_ADDRESS
        self._open[network] += has_room
        try:
            yield has_room
        finally:
            self._open[network] -= has_room
            if not self._open[network]:
                del self._open[network]


def _network_of(scope: dict[str, Any]) -> str:
    try:
        return prefix_of(ASGIRequest(scope, io.BytesIO()))
    except (PermissionDenied, ImproperlyConfigured):  # It came by no network that is known.
        return ""
