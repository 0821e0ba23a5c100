"""The cache in Valkey, with one set of connections for the whole process.

Django makes a new cache, and with it a connection, for each request through ASGI. While Valkey is
unreachable, each process uses its own memory: rate limits still hold, and nobody waits.
"""

import json
import logging
import time
from functools import cached_property
from threading import Lock
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

AGAIN = 5.0  # Seconds without a new attempt after Valkey failed.

_clients: dict[str, Any] = {}
_lock = Lock()


class JsonValues:
    """A JSON serializer: unlike pickles, its values cannot run code."""

    def dumps(self, value: Any) -> Any:
        return value if type(value) is int else json.dumps(value)

    def loads(self, text: Any) -> Any:
        return json.loads(text)


class Client:
    """Django's client of Valkey, with the process's memory as the fallback."""

    def __init__(self, valkey: Any) -> None:
        self._valkey = valkey
        self._away_until = 0.0

    def __getattr__(self, name: str) -> Any:
        def work(*args: Any, **more: Any) -> Any:
            if time.monotonic() >= self._away_until:
                try:
                    return getattr(self._valkey, name)(*args, **more)
                except RedisError as error:
                    log.warning("Valkey is away (%s): this process counts by itself.", error)
                    self._away_until = time.monotonic() + AGAIN
            return getattr(caches["memory"], name)(*args, **more)

        return work


class SharedRedisCache(RedisCache):
    """Django's cache in Valkey; caches with the same address share their connections."""

    @cached_property
    def _cache(self) -> Any:
        """The address's client, which threads share; after a fork it reconnects."""
        own: Any = self
        key = repr((own._servers, sorted(own._options.items(), key=str)))
        with _lock:
            if key not in _clients:
                _clients[key] = Client(own._class(own._servers, **own._options))
            return _clients[key]
