"""Connections that send slowly, or are too many."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn

from config import connections

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n"


async def application(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    await send({"type": "http.response.start", "status": 200,
                "headers": [(b"content-length", b"2")]})  # fmt: skip
    await send({"type": "http.response.body", "body": b"%02d" % len(body)})


@pytest.fixture
def port(monkeypatch, settings):
    settings.TRUSTED_PROXIES = 0
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(connections, "BODY_SECONDS", 1.5)
    monkeypatch.setattr(connections, "LEAST_BYTES", 5)
    monkeypatch.setattr(connections.BoundedHttp, "room", connections.Room(8))
    config = uvicorn.Config(
        application, port=0, http=connections.BoundedHttp, log_level="warning", lifespan="off"
    )
    server = uvicorn.Server(config)
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    serving.join(timeout=10)


@contextmanager
def connected(port, sent=b""):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(sent)
        yield line


def answer(line):
    """What comes, with the two digits of the body; nothing from a line that was cut."""
    came = b""
    try:
        while not came.partition(b"\r\n\r\n")[2] and (more := line.recv(1000)):
            came += more
    except ConnectionError:
        return b""
    return came


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", HEAD + b"x"])
def test_what_does_not_come_is_cut(port, sent):
    with connected(port, sent) as line:
        assert answer(line) == b""


def test_a_second_request_of_a_connection_has_a_deadline_too(port):
    with connected(port, HEAD + b"x" * 40) as line:
        assert answer(line).endswith(b"40")
        line.sendall(b"GET / HT")
        assert answer(line) == b""


def test_a_slow_body_that_comes_on_is_taken(port):
    with connected(port, HEAD) as line:
        for _ in range(8):
            time.sleep(0.25)
            line.sendall(b"x" * 5)
        assert answer(line).endswith(b"40")


def test_a_network_has_half_of_all_connections_and_others_go_on(port):
    lines = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(4)]
    with connected(port) as fifth:
        assert answer(fifth).startswith(b"HTTP/1.1 503")
    with socket.socket() as other:
        other.settimeout(5)
        other.bind(("127.9.9.9", 0))
        other.connect(("127.0.0.1", port))
        other.sendall(HEAD + b"x" * 40)
        assert answer(other).endswith(b"40")
    for line in lines:
        assert answer(line) == b""  # Cut: they never asked for anything.
        line.close()
    with connected(port, HEAD + b"x" * 40) as line:
        assert answer(line).endswith(b"40")
