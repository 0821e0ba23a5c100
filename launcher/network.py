import errno
import io
import os
import socket
from pathlib import Path
from urllib.parse import urlsplit

from launcher.errors import LaunchError

OUTSIDE_SECONDS = 3


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens here; raise LaunchError, with a free port, if none can.

    While it is open nobody is refused: connections wait until a web process takes them.
    """
    try:
        line = socket.create_server((host, port), backlog=2048)
    except OSError as error:
        is_taken = error.errno == errno.EADDRINUSE
        why = "is taken by another program" if is_taken else "needs more rights"
        free = next((other for other in range(8000, 8100) if _is_free(host, other)), None)
        advice = f", for example --port {free}" if free else ""
        raise LaunchError(f"Port {port} {why}: choose another one{advice}.") from error
    line.setblocking(False)
    return line


def _is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True


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


def answer_of(path: Path, question: bytes, *, seconds: float) -> bytes:
    """Return how the answer of the server at a local socket begins; b"" if none comes in time."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(seconds)
            connection.connect(str(path))
            connection.sendall(question)
            return connection.recv(64)
    except OSError:
        return b""


def qr_code(url: str) -> str:
    """Return a QR code of the address, drawn with block characters."""
    import segno

    drawing = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue()
