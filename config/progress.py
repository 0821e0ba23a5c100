"""The requests in progress in this process, with their start and database connection."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import psycopg


@dataclass(eq=False)
class RequestInProgress:
    """A request; `backend` is the process id of its last PostgreSQL connection, 0 without one."""

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
    request = RequestInProgress(method, path)
    token = current.set(request)
    _all.add(request)
    try:
        yield request
    finally:
        _all.discard(request)
        current.reset(token)


def note_backend(connection: psycopg.Connection) -> None:
    """Store the current request's connection, so that its lock waits can be reported."""
    if request := current.get():
        request.backend = connection.info.backend_pid


def all_of_them() -> list[RequestInProgress]:
    """Return the requests in progress, including those that wait for a thread."""
    return list(_all)


def count() -> int:
    return len(_all)


def oldest() -> float:
    return max((request.seconds for request in list(_all)), default=0.0)
