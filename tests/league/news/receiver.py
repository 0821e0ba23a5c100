"""A webhook's other end, on this machine: real connections, real signatures, failures on order."""

import base64
import hashlib
import hmac
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """What arrived, and with which statuses the next messages are answered."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.answers: list[int] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.sleeps = 0.0
        self.bodies: list[bytes] = []
        self.came = threading.Event()

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _body in self.got]

    def is_signed(self, secret: str) -> bool:
        """Whether every message verifies, as the specification's own libraries do it."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        for headers, body in self.got:
            told = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
            mac = base64.b64encode(hmac.new(key, told, hashlib.sha256).digest()).decode()
            if headers["webhook-signature"] != f"v1,{mac}":
                return False
        return True


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Listen on a free port until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(found.sleeps)
            headers = {k.lower(): v for k, v in self.headers.items()} | {"path": self.path}
            found.got.append((headers, body))
            found.came.set()
            status = found.answers.pop(0) if found.answers else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", found.address)
            told = found.bodies.pop(0) if found.bodies else b""
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *args: object) -> None:
            """Nothing: the test says what went wrong."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Receiver(f"http://127.0.0.1:{server.server_address[1]}/hook?club=1")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
