"""The cache in Valkey, with one set of connections for the whole process.

Django makes a cache anew for each request that comes through ASGI, and with it a connection.
"""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Any

from django.core.cache.backends.redis import RedisCache

_clients: dict[str, Any] = {}
_lock = Lock()


class SharedRedisCache(RedisCache):
    """Django's cache in Valkey; caches of one address share their connections."""

    @cached_property
    def _cache(self) -> Any:
        """The client of the address, which threads may share; after a fork it connects anew."""
        own: Any = self
        key = repr((own._servers, sorted(own._options.items())))
        with _lock:
            if key not in _clients:
                _clients[key] = own._class(own._servers, **own._options)
            return _clients[key]
