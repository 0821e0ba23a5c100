"""Rate limits of one network, such as opened tables, and its limit of open streams."""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

from accounts.addresses import prefix_of
from tables.refusals import TableRefusal


def check(request: HttpRequest, what: str, who: str = "") -> None:
    """Count a request of `who`, or of the client's network; raise `TableRefusal` above the limit.

    `what` is a key of `TABLES_PER_ADDRESS`. Everyone in a club's hall shares one address, so the
    limits leave room for all of them.
    """
    most, seconds = settings.TABLES_PER_ADDRESS[what]
    key = f"tables-{what}:{who or prefix_of(request)}"
    count = 1
    try:
        count = cache.incr(key)
    except ValueError:  # No count yet, or it has expired.
        cache.add(key, 1, seconds)
    if count > most:
        raise TableRefusal("too_often", status=429)


class OpenStreams:
    """The number of open streams in this process, by network or account."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()

    def has_room(self, key: Hashable, most: int) -> bool:
        """Return whether another stream may be opened."""
        return self._open[key] < most

    @contextlib.contextmanager
    def one_more(self, key: Hashable) -> Iterator[None]:
        """Count a stream while it is open."""
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


def network_of(scope: dict[str, Any]) -> str:
    """Return the client's network; "" if it is unknown."""
    try:
        return prefix_of(ASGIRequest(scope, io.BytesIO()))
    except (PermissionDenied, ImproperlyConfigured):
        return ""
