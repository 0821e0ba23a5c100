"""A web process that is stopped while pages and programs follow its tables live."""

import re
import signal
import socket
import time

import pytest

from tables.live import tokens
from tests.served import served
from tests.tables import live

PAGES = 60

pytestmark = pytest.mark.django_db(transaction=True)


def opened(port: int, path: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    heard = b""
    while b"event: release" not in heard:
        heard += line.recv(65536)
    return line


def rest_of(line: socket.socket) -> bytes:
    heard = b""
    while part := line.recv(65536):
        heard += part
    return heard


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_streams_end_by_a_last_event_and_the_log_keeps_quiet(number):
    """Each wrote 19 lines and a traceback, and ended in the middle of its answer."""
    table = live.open_table("penguin", 4, people=1)
    with served() as web:
        token = tokens.make(table)
        path = f"/live/tables/{table.key}/?token={token}&language=en&release=any"
        lines = [opened(web.port, path) for _ in range(PAGES)]
        began = time.monotonic()
        web.process.send_signal(number)
        ends = [rest_of(line) for line in lines]
        web.process.wait(10)
        took = time.monotonic() - began
        log = web.log.read_text()
    assert all(end.endswith(b"0\r\n\r\n") for end in ends), "whole answers"
    waits = [
        int(found[1]) for end in ends if (found := re.search(rb"retry: (\d+)\nevent: again", end))
    ]
    assert len(waits) == PAGES
    assert max(waits) - min(waits) > 2000, "they come back spread over some seconds"
    assert "Traceback" not in log
    after = log.partition("Shutting down")[2].splitlines()
    assert len(after) < 10, log
    print(f"stopped in {took:.1f} s with {PAGES} streams")
