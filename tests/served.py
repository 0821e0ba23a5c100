"""The web process as in production, on the test's database: for tests that stop what it needs."""

import http.client
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection

from script import ports

TOKEN = "c" * 32


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Any
    text: str
    seconds: float


@dataclass
class Served:
    """A running uvicorn: what it answers, and what it writes to its log."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def ask(
        self,
        path: str,
        data: dict[str, object] | None = None,
        *,
        session: str = "",
        timeout: float = 30,
        source: str = "",
        **headers: str,
    ) -> Answer:
        began = time.monotonic()
        cookies = f"csrftoken={TOKEN}; {settings.SESSION_COOKIE_NAME}={session}"
        own = {"Cookie": cookies, "X-CSRFToken": TOKEN, "Host": "localhost"}
        headers = own | {"Accept-Language": "en"} | headers
        body = None if data is None else urlencode(data)
        if data is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=timeout, source_address=(source, 0) if source else None
        )
        try:
            line.request("GET" if data is None else "POST", path, body, headers)
            got = line.getresponse()
            text = got.read().decode()
        finally:
            line.close()
        return Answer(got.status, got.headers, text, time.monotonic() - began)


@contextmanager
def served(root: Path = settings.BASE_DIR, **environment: str) -> Iterator[Served]:
    """Serve the test's database until the block ends, by the sources at `root`."""
    (port,) = ports.free(1)
    options = [f"--port={port}", "--http=config.connections:BoundedHttp", "--no-access-log",
               "--timeout-graceful-shutdown=1"]  # fmt: skip
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "config.asgi:application", *options],
            cwd=root,
            stdout=log,
            stderr=log,
            env=os.environ
            | {
                "TEST_DATABASE": str(connection.settings_dict["NAME"]),
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                **environment,
            },
        )
        try:
            ports.wait_for(port)
            yield Served(port, process, Path(log.name))
        finally:
            process.kill()
            process.wait()
