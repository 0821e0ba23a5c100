"""Names and addresses of the machine in the local network."""

import contextlib
import socket


def address() -> str | None:
    """Return this machine's IPv4 address in the local network, or None."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # A datagram socket sends nothing on connect; it only asks for the outgoing address.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return next((found for found in _of_name() if not found.startswith("127.")), None)


def addresses() -> list[str]:
    """Return the names and IPv4 addresses under which phones in its network reach this machine."""
    name = socket.gethostname()
    found = {name, f"{name}.local", "localhost", "127.0.0.1", address() or "localhost", *_of_name()}
    return sorted(found)


def _of_name() -> list[str]:
    """Return the IPv4 addresses of this machine's own name; none if it does not resolve."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return []
    return [str(info[4][0]) for info in found]
