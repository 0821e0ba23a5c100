"""Names and addresses of the machine in the local network."""

from __future__ import annotations

import contextlib
import socket


def address() -> str:
    """Return this machine's address in the local network, or localhost without one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # A datagram socket sends nothing on connect; it only asks for the outgoing address.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return "localhost"


def addresses() -> list[str]:
    """Return the names and IPv4 addresses under which phones in its network reach this machine."""
    name = socket.gethostname()
    found = {name, f"{name}.local", "localhost", "127.0.0.1", address()}
    with contextlib.suppress(OSError):  # If the name does not resolve, the address is enough.
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)}
    return sorted(found)
