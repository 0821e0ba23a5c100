"""The requests that this process works on: how many, since when, and by which connection."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import psycopg


@dataclass(eq=False)
class RequestInProgress:
    """One of them; `backend` is PostgreSQL's process that it last worked with, 0 for none yet."""

    method: str
    path: str
    began: float = field(default_factory=time.monotonic)
    work: str = "-"
    backend: int = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began


_all: set[RequestInProgress] = set()
current: ContextVar[RequestInProgress | None] = ContextVar("request_in_progress", default=None)


@contextmanager
def going_on(method: str, path: str) -> Iterator[RequestInProgress]:
    """Count a request until it is answered."""
    request = RequestInProgress(method, path)
    token = current.set(request)
    _all.add(request)
    try:
        yield request
    finally:
        _all.discard(request)
        current.reset(token)


def note_backend(connection: psycopg.Connection) -> None:
    """Remember by which connection the request works, so that its wait can be told."""
    if request := current.get():
        request.backend = connection.info.backend_pid


def all_of_them() -> list[RequestInProgress]:
    """Return the requests in progress, waiting for a thread included."""
    return list(_all)


def count() -> int:
    """Return how many requests are in progress, waiting for a thread included."""
    return len(_all)


def oldest() -> float:
    """Return for how many seconds the oldest of them has been in progress."""
    return max((request.seconds for request in list(_all)), default=0.0)
