"""Bounded in-process caches that drop the oldest stored value first."""

from __future__ import annotations

import threading
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
_caches: list[FifoCache[Any, Any]] = []


class FifoCache(Generic[Key, Value]):
    """A thread-safe cache of at most `size` values by key."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: dict[Key, Value] = {}
        self._lock = threading.Lock()
        _caches.append(self)

    def get(self, key: Key) -> Value | None:
        return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = value
            while len(self._values) > self._size:
                del self._values[next(iter(self._values))]

    def forget(self, key: Key) -> None:
        with self._lock:
            self._values.pop(key, None)


def forget_all() -> None:
    """Empty every cache of this process."""
    for cache in _caches:
        for key in list(cache._values):
            cache.forget(key)
