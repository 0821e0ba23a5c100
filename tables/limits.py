"""How often one address may open tables or sit down, and how many streams it may have."""

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
    """The streams that are open in this process, by whom they count for."""

    def __init__(self) -> None:
        self._open: Counter[Hashable] = Counter()

    def has_room(self, key: Hashable, most: int) -> bool:
        """Tell whether another one may be opened."""
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
    """Return the network that a request came from; "" for none that is known."""
    try:
        return prefix_of(ASGIRequest(scope, io.BytesIO()))
    except (PermissionDenied, ImproperlyConfigured):
        return ""
