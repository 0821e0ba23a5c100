"""The page that people see while no web process answers: at a start, an upgrade, a stop, a loss."""

import socket
from collections.abc import Sequence
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Protocol

from launcher import release
from launcher.locations import ROOT

REFUSAL = b'{"code": "try_later", "message": "The server is away.", "retry": true}'
"""What the pages' own scripts get, whose words for it are on their page."""
PAGE = ROOT / "templates" / "errors" / "away.html"
LONGEST_HEAD = 100
"""Lines of a request that are read before it is answered."""


LOOK_SECONDS = 0.25


class WebProcess(Protocol):
    """A web process; it `lives` as long as it may be expected to answer."""

    def lives(self) -> bool: ...


class AwayPage:
    """A server of one page on the listening socket that it shares with the web processes."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._server: ThreadingTCPServer | None = None
        self._watching: Thread | None = None
        self._is_over = Event()

    def begin(self) -> None:
        """Answer whatever is asked from now on, in threads of this process."""
        if self._server is not None:
            return
        self._server = ThreadingTCPServer(("", 0), _Visitor, bind_and_activate=False)
        self._server.daemon_threads = True
        self._server.socket.close()
        self._server.socket = self._line
        Thread(target=self._server.serve_forever, args=[0.05], daemon=True).start()

    def end(self) -> None:
        """Leave further connections to the web processes."""
        if self._server is not None:
            self._server.shutdown()
            self._server = None

    def watch(self, webs: Sequence[WebProcess]) -> None:
        """Answer from now on whenever no web process lives, until `rest`.

        In a thread: who starts processes again may wait for the database.
        """

        def look() -> None:
            while not self._is_over.wait(LOOK_SECONDS):
                if any(web.lives() for web in webs):
                    self.end()
                else:
                    self.begin()

        self._watching = Thread(target=look, daemon=True)
        self._watching.start()

    def rest(self) -> None:
        """Watch no longer."""
        self._is_over.set()
        if self._watching is not None:
            self._watching.join()


class _Visitor(StreamRequestHandler):
    timeout = 5

    def handle(self) -> None:
        with suppress(OSError):
            heads = []
            for _line in range(LONGEST_HEAD):
                if not (line := self.rfile.readline(1 << 16).strip().lower()):
                    break
                heads.append(line.replace(b" ", b""))
            if _expects_refusals(heads):
                self.wfile.write(_answer("application/json", REFUSAL))
            else:
                self.wfile.write(_answer("text/html; charset=utf-8", PAGE.read_bytes()))


def _expects_refusals(heads: Sequence[bytes]) -> bool:
    """Return what `tables.web.scripts` does."""
    is_marked = any(head.startswith(release.HEADER.lower().encode() + b":") for head in heads)
    return b"accept:application/json" in heads or (b"x-requested-with:fetch" in heads and is_marked)


def _answer(kind: str, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 503 Service Unavailable\r\nContent-Type: {kind}\r\n"
        "Cache-Control: no-store\r\nContent-Security-Policy: default-src 'none'\r\n"
        f"Retry-After: 3\r\n{release.HEADER}: {release.mark()}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
