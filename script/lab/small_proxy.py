"""What the proxy of docker-compose.yml does to a request that the program behind it can notice.

No TLS: headers as its Caddyfile makes them, nothing held back, one server after the other, and five
seconds of tries while none listens.
"""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
import time

_PIECE, _LONGEST = 1 << 16, 1 << 18
_TRIES = 5.0
_OWN = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "connection")


class SmallProxy:
    """Hands requests on from a port of its own to its servers, which may change at any moment."""

    def __init__(self, *servers: tuple[str, int]) -> None:
        self.servers = list(servers)
        self._turn = itertools.count()
        self._door = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        while True:
            client, address = self._door.accept()
            threading.Thread(target=self._serve, args=(client, address[0]), daemon=True).start()

    def _serve(self, client: socket.socket, visitor: str) -> None:
        with client, contextlib.suppress(OSError):
            head, _blank, rest = _read_head(client)
            if not head:
                return
            if (behind := self._behind()) is None:
                client.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                return
            with behind:
                behind.settimeout(None)
                behind.sendall(_head_for_upstream(head, visitor) + rest)
                threading.Thread(target=_hand_on, args=(client, behind), daemon=True).start()
                _hand_on(behind, client)

    def _behind(self) -> socket.socket | None:
        until = time.monotonic() + _TRIES
        while True:
            try:
                server = self.servers[next(self._turn) % len(self.servers)]
                return socket.create_connection(server, timeout=_TRIES / 5)
            except OSError:
                if time.monotonic() > until:
                    return None
                time.sleep(0.05)


def _read_head(client: socket.socket) -> tuple[bytes, bytes, bytes]:
    read = b""
    while b"\r\n\r\n" not in read and len(read) < _LONGEST:
        if not (piece := client.recv(_PIECE)):
            return b"", b"", b""
        read += piece
    return read.partition(b"\r\n\r\n")


def _head_for_upstream(head: bytes, visitor: str) -> bytes:
    """Return the head with what a proxy says of the visitor, and nothing that the visitor says."""
    first, *lines = head.decode("latin-1").split("\r\n")
    kept = [line for line in lines if line.partition(":")[0].strip().lower() not in _OWN]
    kept += [f"X-Forwarded-For: {visitor}", "X-Forwarded-Proto: https", "Connection: close"]
    return "\r\n".join([first, *kept, "", ""]).encode("latin-1")


def _hand_on(one: socket.socket, other: socket.socket) -> None:
    one.settimeout(None)
    with contextlib.suppress(OSError):
        while piece := one.recv(_PIECE):
            other.sendall(piece)
    with contextlib.suppress(OSError):
        other.shutdown(socket.SHUT_WR)
