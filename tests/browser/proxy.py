"""A small real proxy between a browser and the product, which others may answer for."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "accept-encoding"}


@dataclass(frozen=True)
class Foreign:
    """An answer by somebody else; `reset` cuts the connection instead.

    With `after` the product answers first, and the browser hears something else: `cut` sends half
    of the product's answer, `seconds` holds it back.
    """

    status: int = 200
    body: bytes = b""
    kind: str = "text/html"
    location: str = ""
    reset: bool = False
    after: bool = False
    cut: bool = False
    seconds: float = 0


PORTAL = b"<!doctype html><title>Cafe</title><form><input name=room><button>Go on</button></form>"
MOODS = {
    "200 html": Foreign(body=PORTAL),
    "200 empty": Foreign(),
    "403 html": Foreign(403, PORTAL),
    "302": Foreign(302, location="http://portal.example/"),
    "511": Foreign(511, PORTAL),
}
"""What a Wi-Fi answers until somebody has signed in there."""
HEARD = ("a status of 511", "EventSource's response", "Content Security Policy directive")
"""What the console says of these."""


@dataclass
class Road:
    """The address in front of the product, who answers there, and what was asked."""

    address: str
    says: Callable[[str, str], Foreign | None] = lambda _method, _path: None
    upstream: str = ""
    asked: list[str] = field(default_factory=list)
    lines: set[http.client.HTTPConnection] = field(default_factory=set)

    def posts(self, *answers: Foreign | None, times: int | None = None) -> None:
        """Answer POSTs with these, one after the other; `times` of the only one."""
        left = list(answers) * (times or 1)

        def says(method: str, path: str) -> Foreign | None:
            return left.pop(0) if method == "POST" and left else None

        self.says = says

    def answers(self, foreign: Foreign) -> None:
        """Answer everything with this from here on."""
        self.says = lambda _method, _path: foreign
        self.asked.clear()

    def all_is_well(self) -> None:
        self.says = lambda _method, _path: None
        self.asked.clear()

    def waits_for(self, *asked: str, times: int = 2) -> None:
        """Wait until each was asked so often: by the second time the first answer was heard."""
        until = time.monotonic() + 60
        while any(sum(one in other for other in self.asked) < times for one in asked):
            assert time.monotonic() < until, (asked, self.asked)
            time.sleep(0.02)


@contextmanager
def road_to(upstream: str) -> Iterator[Road]:
    """A proxy on a port of its own in front of the address `upstream`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Visitor)
    server.daemon_threads = True
    server.road = Road(f"http://localhost:{server.server_port}", upstream=upstream)
    thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    try:
        yield server.road
    finally:
        for line in [*server.road.lines]:  # A stream has no end of its own.
            with suppress(OSError):
                line.sock.shutdown(socket.SHUT_RDWR)
        server.shutdown()
        server.server_close()
        thread.join(timeout=30)


class _Visitor(BaseHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass

    def handle_one_request(self) -> None:
        with suppress(OSError, http.client.HTTPException):
            super().handle_one_request()

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        road: Road = self.server.road
        road.asked.append(f"{self.command} {self.path}")
        foreign = road.says(self.command, self.path)
        if foreign is None or foreign.after:
            self._upstream(body, foreign)
        elif foreign.reset:
            self._reset()
        else:
            self._say(foreign)

    do_GET = do_POST = do_HEAD = _pass

    def _upstream(self, body: bytes, foreign: Foreign | None) -> None:
        upstream = urlsplit(self.server.road.upstream)
        line = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=120)
        self.server.road.lines.add(line)
        headers = {name: value for name, value in self.headers.items()
                   if name.lower() not in HOP_BY_HOP}  # fmt: skip
        try:
            line.request(self.command, self.path, body or None, headers)
            answer = line.getresponse()
            if foreign is None:
                self._hand_on(answer)
                return
            whole = answer.read()
            if foreign.reset:
                self._reset()
                return
            time.sleep(foreign.seconds)
            self._head(answer, len(whole))
            self.wfile.write(whole[: len(whole) // 2] if foreign.cut else whole)
        finally:
            self.server.road.lines.discard(line)
            line.close()

    def _hand_on(self, answer: http.client.HTTPResponse) -> None:
        """Hand on the answer as it comes: a stream has no end."""
        self._head(answer, answer.length)
        while chunk := answer.read1(65_536):
            self.wfile.write(chunk)
            self.wfile.flush()

    def _head(self, answer: http.client.HTTPResponse, length: int | None) -> None:
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def _say(self, foreign: Foreign) -> None:
        self.send_response_only(foreign.status)
        if foreign.location:
            self.send_header("Location", foreign.location)
        if foreign.status != 204:
            self.send_header("Content-Type", foreign.kind)
            self.send_header("Content-Length", str(len(foreign.body)))
        self.end_headers()
        self.wfile.write(foreign.body)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
