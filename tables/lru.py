"""What a process keeps in memory, with a bound: what was put there longest ago goes first."""

from __future__ import annotations

import threading
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")
_everything: list[Kept[Any, Any]] = []


class Kept(Generic[Key, Value]):
    """At most so many values by their keys, for any thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[Key, Value] = {}
        self._lock = threading.Lock()
        _everything.append(self)

    def get(self, key: Key) -> Value | None:
        return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = value
            while len(self._values) > self._most:
                del self._values[next(iter(self._values))]

    def forget(self, key: Key) -> None:
        with self._lock:
            self._values.pop(key, None)


def forget_all() -> None:
    """Forgets all that is kept: the next reader reads again."""
    for kept in _everything:
        for key in list(kept._values):
            kept.forget(key)
