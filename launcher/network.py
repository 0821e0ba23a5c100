import errno
import http.client
import io
import os
import socket
from urllib.parse import urlsplit

from launcher.errors import LaunchError

OUTSIDE_SECONDS = 3


def check_port(host: str, port: int) -> None:
    """Raise LaunchError, with a free port, if the web server cannot listen on this one."""
    reason = _bind_error(host, port)
    if reason is None:
        return
    why = "is taken by another program" if reason == errno.EADDRINUSE else "needs more rights"
    free = next((other for other in range(8000, 8100) if _bind_error(host, other) is None), None)
    advice = f", for example --port {free}" if free else ""
    raise LaunchError(f"Port {port} {why}: choose another one{advice}.")


def _bind_error(host: str, port: int) -> int | None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.errno
    return None


def outside_problem(variable: str, standard_port: int) -> str:
    """Return why the server in an environment variable does not answer; "" if it does.

    An unset variable, a socket's path and anything but the address of one server are not tried and
    return "" too.
    """
    try:
        url = urlsplit(os.environ.get(variable, ""))
        place = (url.hostname or "", url.port or standard_port)
    except ValueError:
        return ""
    if not place[0] or "%" in place[0] or "," in url.netloc or url.scheme == "unix":
        return ""
    try:
        socket.create_connection(place, timeout=OUTSIDE_SECONDS).close()
    except OSError as error:
        why = error.strerror or str(error)
        return f"Nothing answers at {place[0]}:{place[1]}, where {variable} points ({why})"
    return ""


def answers(port: int, path: str = "/", *, seconds: float = 5) -> bool:
    """Return whether the web server on this machine's loopback address answers a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        connection.request("HEAD", path)
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def qr_code(url: str) -> str:
    """Return a QR code of the address, drawn with block characters."""
    import segno

    drawing = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue()
