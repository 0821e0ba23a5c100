"""Ports for the servers that a script starts, and when they serve."""

from __future__ import annotations

import http.client
import socket
import sys
import time
from contextlib import ExitStack


def free(count: int) -> list[int]:
    """So many ports that nobody uses now."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def wait_for(port: int) -> None:
    """Until the web server says that it can serve."""
    for _ in range(600):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            line.request("GET", "/health/ready/")
            if line.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            line.close()
        time.sleep(0.1)
    sys.exit("A web server does not serve.")
