"""Bounded in-process caches that drop the oldest stored value first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from sys import getsizeof
from typing import Any, Generic, TypeVar

from django.utils.safestring import SafeString

MOST_TEXT = 40_000_000
"""Bytes that all drawn texts of a process may take together."""
PLACE = 100
"""About what a key's place in a dictionary takes."""
Key = TypeVar("Key")
Markup = TypeVar("Markup", str, SafeString)
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


class TextCache(FifoCache[Key, Markup]):
    """A cache of drawn texts. All of a process share `MOST_TEXT`: the largest drops its oldest."""

    _every: list[TextCache[Any, Any]] = []
    _sharing = threading.RLock()

    def __init__(self) -> None:
        super().__init__(MOST_TEXT)
        self.taken = 0
        self._every.append(self)

    def put(self, key: Key, value: Markup) -> None:
        with self._sharing:
            self.forget(key)
            self._values[key] = value
            self.taken += _weight(key, value)
            while sum(one.taken for one in self._every) > MOST_TEXT:
                largest = max(self._every, key=lambda one: one.taken)
                largest.forget(next(iter(largest._values)))

    def forget(self, key: Key) -> None:
        with self._sharing:
            if (old := self._values.pop(key, None)) is not None:
                self.taken -= _weight(key, old)


def _weight(key: Any, value: str) -> int:
    return PLACE + getsizeof(value) + _bytes(key)


def _bytes(key: Any) -> int:
    parts = sum(map(_bytes, key)) if isinstance(key, tuple) else 0
    return getsizeof(key) + parts


def drawn_once(draw: Callable[..., Markup]) -> Callable[..., Markup]:
    """Keep what a function draws from its arguments, which are all that the text depends on."""
    cache: TextCache[tuple[Any, ...], Markup] = TextCache()

    @wraps(draw)
    def known(*key: Any) -> Markup:
        if (found := cache.get(key)) is None:
            cache.put(key, found := draw(*key))
        return found

    return known


def forget_all() -> None:
    """Empty every cache of this process."""
    for cache in _caches:
        for key in list(cache._values):
            cache.forget(key)
