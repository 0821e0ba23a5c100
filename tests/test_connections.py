"""Connections that send or read slowly, or are too many."""

import socket
import struct
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn

from config import connections, held

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n"


LONG = 3_000_000
ANSWERS: list[object] = []


async def application(scope, receive, send):
    if scope["path"] in ("/long", "/long/in-pieces"):
        pieces = 1 if scope["path"] == "/long" else 30
        ANSWERS.append(scope["path"])
        await send({"type": "http.response.start", "status": 200,
                    "headers": [(b"content-length", b"%d" % LONG)]})  # fmt: skip
        for number in range(pieces):
            body = b"x" * (LONG // pieces)
            more = number + 1 < pieces
            await send({"type": "http.response.body", "body": body, "more_body": more})
        ANSWERS.remove(scope["path"])
        return
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
    monkeypatch.setattr(connections, "LARGE_BODY", 200)
    monkeypatch.setattr(connections, "LEAST_OF_LARGE", 500)
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(connections, "ANSWERS", held.Budget(5 * LONG))
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
    serving.join(timeout=60)


@contextmanager
def connected(port, sent=b""):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
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


def cut_after(line, piece, *, every=0.2):
    """How many seconds a line lasts on which such pieces are sent; at most twenty."""
    began = time.monotonic()
    while (lasted := time.monotonic() - began) < 20:
        try:
            line.sendall(piece)
        except ConnectionError:
            break
        time.sleep(every)
    return lasted


def test_a_body_that_trickles_is_cut(port):
    with connected(port, HEAD.replace(b"40", b"4000")) as line:
        assert cut_after(line, b"x", every=0.4) < 20


def test_a_large_body_has_to_come_faster_than_a_small_one(port):
    """What comes here in 1.5 seconds is enough for a small one, of 5 bytes."""
    with connected(port, HEAD.replace(b"40", b"4000") + b"x" * 300) as line:
        assert cut_after(line, b"x" * 20) < 20


@contextmanager
def asked(port, path, *, buffer=2048):
    """A client with a small receive buffer, which has asked for something long."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.settimeout(60)
        line.connect(("127.0.0.1", port))
        line.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path)
        yield line


def is_reset(line):
    """Whether the server has ended the connection without the rest of its answer."""
    error = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    state = struct.unpack("B7x", line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8))[0]
    return bool(error) or state == CLOSED


CLOSED = 7
"""TCP_CLOSE of tcp_states.h."""


def soon(condition, *, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


@pytest.mark.parametrize("path", [b"/long", b"/long/in-pieces"])
def test_an_answer_that_is_not_read_is_cut_and_no_longer_held(port, path):
    with asked(port, path) as line:
        assert soon(lambda: connections.ANSWERS.held > LONG // 2)
        assert soon(lambda: is_reset(line))
        assert soon(lambda: not connections.ANSWERS.held and not ANSWERS)


@pytest.mark.parametrize("path", [b"/long", b"/long/in-pieces"])
def test_a_slow_reader_gets_the_whole_answer(port, path):
    """Ten times as long as a client may stand still."""
    came, began = b"", time.monotonic()
    with asked(port, path, buffer=8192) as line:
        while len(came.partition(b"\r\n\r\n")[2]) < LONG and (more := line.recv(60_000)):
            came += more
            pause = len(came) / LONG * 5 - (time.monotonic() - began)
            time.sleep(max(0.0, pause))
    assert len(came.partition(b"\r\n\r\n")[2]) == LONG
    assert time.monotonic() - began > 4.5
    assert connections.ANSWERS.held == 0


def test_of_too_much_that_is_not_read_the_largest_goes(port, monkeypatch):
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 60.0)
    monkeypatch.setattr(connections.BoundedHttp, "room", connections.Room(80))
    lines = []
    try:
        for _ in range(6):
            line = socket.socket()
            lines.append(line)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            line.connect(("127.0.0.1", port))
            line.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        assert soon(lambda: sum(map(is_reset, lines)) == 4)
        assert connections.ANSWERS.held <= connections.ANSWERS.most // 2
    finally:
        for line in lines:
            line.close()
    assert soon(lambda: not connections.ANSWERS.held)


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
    lines = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(4)]
    with connected(port) as fifth:
        assert answer(fifth).startswith(b"HTTP/1.1 503")
    with socket.socket() as other:
        other.settimeout(60)
        other.bind(("127.9.9.9", 0))
        other.connect(("127.0.0.1", port))
        other.sendall(HEAD + b"x" * 40)
        assert answer(other).endswith(b"40")
    for line in lines:
        assert answer(line) == b""  # Cut: they never asked for anything.
        line.close()
    with connected(port, HEAD + b"x" * 40) as line:
        assert answer(line).endswith(b"40")
