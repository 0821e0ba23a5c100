"""Bounds connections before a request is there: how many, and how long a client may take.

uvicorn waits for ever for the rest of a head or a body, and takes connections until the system has
no more files. What is sent slowly is cut here, and what is too much is answered with 503.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger("connections")

HEAD_SECONDS = 10.0
BODY_SECONDS = 10.0
LEAST_BYTES = 5_000
"""So much of a body has to come in `BODY_SECONDS`: half a kilobyte a second."""

OWN_FILES = 200
"""Files and connections that the process needs for itself."""
MOST_CONNECTIONS = 20_000
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\n"
    b"Connection: close\r\nContent-Length: 0\r\n\r\n"
)


def raise_file_limit() -> int:
    """Let this process open as many files as it may; return how many connections it takes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OWN_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(wanted - OWN_FILES, OWN_FILES)


class Room:
    """How many connections there are, in all and from each network."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    def take(self, network: str) -> bool:
        """Count a connection; False where one network would have more than half of all."""
        if self._open.total() >= self.most:
            return False
        # Behind a proxy all have its address, and it bounds them.
        if not settings.TRUSTED_PROXIES and self._open[network] >= max(self.most // 2, 1):
            return False
        self._open[network] += 1
        return True

    def leave(self, network: str) -> None:
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]


class BoundedHttp(H11Protocol):
    """One connection to uvicorn, with deadlines for what a client sends."""

    room = Room(raise_file_limit())
    _network: str | None = None
    _deadline: asyncio.TimerHandle | None = None
    _came = 0

    def connection_made(self, transport: Any) -> None:
        from accounts.addresses import network_of  # The applications are loaded by now.

        super().connection_made(transport)
        network = network_of(self.client[0]) if self.client else ""
        if not self.room.take(network):
            log.warning("Refused a connection: there are too many")
            transport.write(_BUSY)
            transport.close()
            return
        self._network = network
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._network is not None:
            self.room.leave(self._network)
            self._network = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._network is None:
            return
        self._came += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._has_request():
            self._stop_waiting()
            if self.cycle.more_body:
                self._wait_for_body()
        elif self._deadline is None:
            self._wait_for_head()

    def on_response_complete(self) -> None:
        self._stop_waiting()
        super().on_response_complete()

    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut, "head")

    def _wait_for_body(self) -> None:
        self._deadline = self.loop.call_later(BODY_SECONDS, self._look_at_body, self._came)

    def _look_at_body(self, before: int) -> None:
        self._deadline = None
        if not (self._has_request() and self.cycle.more_body):
            return
        if self._came - before < LEAST_BYTES and not self.flow.read_paused:
            self._cut("body")
        else:
            self._wait_for_body()

    def _cut(self, what: str) -> None:
        log.info("Cut a connection: its %s did not come", what)
        self.transport.abort()
