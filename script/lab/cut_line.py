"""A line to a server's socket that can be cut, as a network between two machines can."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from pathlib import Path

_PIECE = 1 << 16
_AT_ONCE = struct.pack("ii", 1, 0)  # A close that resets.


class CutLine:
    """Hands bytes on between a port of this machine and a socket; nothing while it is cut."""

    def __init__(self, server: Path, host: str = "127.0.0.1") -> None:
        self._server = server
        self._whole = threading.Event()
        self._whole.set()
        self._ends: list[socket.socket] = []
        self._door = socket.create_server((host, 0), backlog=256)
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._take, daemon=True).start()

    def cut(self, seconds: float, *, forget: bool) -> None:
        """Let nothing through for so long; then all goes on, or each connection is reset."""
        self._whole.clear()
        time.sleep(seconds)
        if forget:
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                    end.shutdown(socket.SHUT_RDWR)
                    end.close()
            self._ends.clear()
        self._whole.set()

    def _take(self) -> None:
        while True:
            client, _address = self._door.accept()
            self._whole.wait()
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server))
            except OSError:
                client.close()
                continue
            self._ends += [client, server]
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._hand_on, args=(one, other), daemon=True).start()

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while found := one.recv(_PIECE):
                self._whole.wait()
                other.sendall(found)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
