"""Limits on connections: their number, and how slowly a client may send and read.

uvicorn waits without limit for the rest of a head or a body and for a client to read its answer,
and accepts connections until the process runs out of files. Here slow clients are disconnected, and
connections above the limit get 503.
"""

import asyncio
import fcntl
import logging
import resource
import socket
import struct
import termios
from collections import Counter
from contextlib import suppress
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from config.held import ANSWERS, Sender, content_length
from launcher import release

log = logging.getLogger("connections")

HEAD_SECONDS = 10.0
BODY_SECONDS = 10.0
LEAST_BYTES = 5_000
"""Minimum bytes of a body per `BODY_SECONDS`: half a kilobyte a second."""
LARGE_BODY = 1_000_000
LEAST_OF_LARGE = 500_000
"""Minimum bytes per `BODY_SECONDS` after the first `LARGE_BODY` bytes: 50 kilobytes a second."""
ANSWER_SECONDS = 30.0
LEAST_READ = 5_000
"""Minimum bytes that a client reads per `ANSWER_SECONDS`; a phone on 2G needs two seconds."""
SEND_BUFFER = 128 * 1024
"""The kernel's send buffer for a connection, in bytes; its default grows to megabytes."""

OWN_FILES = 200
"""File descriptors that the process needs for itself."""
MOST_CONNECTIONS = 20_000
_BUSY = (
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\n"
    f"{release.HEADER}: {release.mark()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
).encode()


def raise_file_limit() -> int:
    """Raise this process's file limit, and return the number of connections it can take."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OWN_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(wanted - OWN_FILES, OWN_FILES)


class Room:
    """Counts of open connections, in all and by network."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    @property
    def held(self) -> int:
        return self._open.total()

    def take(self, network: str) -> bool:
        """Count a connection; return False at the limit, or at half of it for one network."""
        if self.held >= self.most:
            return False
        # Behind a proxy all connections have its address, and the proxy limits them.
        if not settings.TRUSTED_PROXIES and self._open[network] >= max(self.most // 2, 1):
            return False
        self._open[network] += 1
        return True

    def leave(self, network: str) -> None:
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]


class BoundedHttp(H11Protocol):
    """A connection to uvicorn with deadlines for sending and reading."""

    room = Room(raise_file_limit())
    _network: str | None = None
    _deadline: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _came = 0
    _left = 0  # Bytes of the answer that the application has not sent yet, if it gave a length.
    _timed: Any = None  # The cycle whose body has a deadline.
    _unread: Sender | None = None

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._answering, self.app = self.app, self._measured

    def connection_made(self, transport: Any) -> None:
        from accounts.addresses import network_of  # Imported late: Django's apps must be loaded.

        super().connection_made(transport)
        network = network_of(self.client[0]) if self.client else ""
        if not self.room.take(network):
            log.warning("Refused a connection: there are too many")
            transport.write(_BUSY)
            transport.close()
            return
        self._network = network
        _bound_in_kernel(transport)
        # Calls `pause_writing` at the first byte that the kernel does not take.
        transport.set_write_buffer_limits(high=0)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_reading()
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
        if not self._has_request():
            if self._deadline is None:
                self._wait_for_head()
        elif not self.cycle.more_body:
            self._stop_waiting()
        elif self.cycle is not self._timed:
            self._stop_waiting()
            self._timed = self.cycle
            self._wait_for_body(began=self._came - len(data))

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._network is None:
            return
        left = self._unsent()
        if self._unread is None:
            self._unread = Sender(self._network_of_answer(), self._cut_reader)
        ANSWERS.hold(self._unread, left + self._left)
        if self._unread is not None and self._reading is None:
            self._wait_for_reader(left)

    def resume_writing(self) -> None:
        self._stop_reading()
        super().resume_writing()

    def on_response_complete(self) -> None:
        self._stop_waiting()
        super().on_response_complete()

    async def _measured(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the application, and count the bytes of its answer that are not sent yet."""

        async def counted(message: Any) -> None:
            if message["type"] == "http.response.start":
                self._left = content_length(message)
            else:
                self._left = max(self._left - len(message.get("body", b"")), 0)
            await send(message)

        await self._answering(scope, receive, counted)

    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut, "head did not come")

    def _wait_for_body(self, *, began: int) -> None:
        self._deadline = self.loop.call_later(BODY_SECONDS, self._look_at_body, self._came, began)

    def _look_at_body(self, before: int, began: int) -> None:
        self._deadline = None
        if not (self._has_request() and self.cycle.more_body):
            return
        least = LEAST_OF_LARGE if before - began > LARGE_BODY else LEAST_BYTES
        if self._came - before < least and not self.flow.read_paused:
            self._cut("body did not come")
        else:
            self._wait_for_body(began=began)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        if self._unread is not None:
            ANSWERS.free(self._unread)
            self._unread = None

    def _wait_for_reader(self, before: int) -> None:
        self._reading = self.loop.call_later(ANSWER_SECONDS, self._look_at_reader, before)

    def _look_at_reader(self, before: int) -> None:
        """Disconnect a client that hardly read since the last check.

        Nothing was written in between.
        """
        left = self._unsent()
        if before - left < LEAST_READ:
            self._cut_reader()
        else:
            self._wait_for_reader(left)

    def _cut_reader(self) -> None:
        self._stop_reading()
        self._cut("answer was not read")

    def _unsent(self) -> int:
        size: int = self.transport.get_write_buffer_size()
        with suppress(OSError):
            # The kernel's queue counts too: it takes no more bytes while a slow client drains it.
            queued = fcntl.ioctl(_socket(self.transport).fileno(), termios.TIOCOUTQ, b"\0" * 4)
            size += struct.unpack("i", queued)[0]
        return size

    def _network_of_answer(self) -> str:
        from tables.web.limits import network_of

        return network_of(dict(self.cycle.scope)) if self.cycle else self._network or ""

    def _cut(self, what: str) -> None:
        log.info("Cut a connection: its %s", what)
        with suppress(OSError):  # Makes the kernel discard its unsent bytes.
            off = struct.pack("ii", 1, 0)
            _socket(self.transport).setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, off)
        self.transport.abort()


def _socket(transport: Any) -> socket.socket:
    found: socket.socket = transport.get_extra_info("socket")
    return found


def _bound_in_kernel(transport: Any) -> None:
    """Limit the kernel's send buffer, and how long it keeps unread data, even after a close."""
    line = _socket(transport)
    with suppress(OSError):
        # On a socket that several processes share asyncio does not know that it is TCP.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            seconds = int(ANSWER_SECONDS * 1000)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, seconds)
