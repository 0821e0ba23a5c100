"""An installation of a script's own, in a folder that is removed at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import ports

ROOT = Path(__file__).resolve().parents[2]
STUCK = 60.0
"""Seconds after which what does not come back counts as lost."""


@contextmanager
def own(what: str, *, data: str | None = None, **environment: str) -> Iterator[Path]:
    """Run the block with PostgreSQL, Valkey and Django on a migrated database of its own.

    With `data` the folder stays. With the settings of the tests a power cut may cost the data.
    """
    with nullcontext(data) if data else tempfile.TemporaryDirectory(prefix="tienlen-") as folder:
        _point_to(folder, environment)
        from launcher import services

        durable = os.environ["DJANGO_SETTINGS_MODULE"] == "config.settings"
        with services(folder, what=f"script/lab/{what}", durable=durable):
            migrate()
            yield Path(folder)


@contextmanager
def own_servers(what: str, **environment: str) -> Iterator[tuple[Any, list[Any]]]:
    """Run servers that the block may kill and start again; yield their folder's paths and them."""
    folder = tempfile.mkdtemp(prefix="tienlen-")
    _point_to(folder, environment)
    from launcher.locations import locations
    from launcher.lock import DataLock
    from launcher.services import embedded_servers

    places = locations(folder)
    lock, servers = DataLock(places), embedded_servers(places)
    lock.acquire(f"script/lab/{what}")
    try:
        for server in servers:
            server.start()
        migrate()
        yield places, servers
    finally:
        for server in reversed(servers):
            server.stop()
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def web_processes(count: int, root: Path = ROOT) -> Iterator[tuple[list[int], list[int]]]:
    """Run so many web processes of a checkout; yield their ports and process ids."""
    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0)
    free = ports.free(count)
    serve = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--log-level=error"]
    serve += ["--http=config.connections:BoundedHttp", "--no-server-header", "--no-proxy-headers"]
    serve += ["--no-access-log", "--timeout-graceful-shutdown=1"]
    webs = [subprocess.Popen([*serve, f"--port={port}"], cwd=root) for port in free]
    try:
        for port in free:
            ports.wait_for(port)
        yield free, [web.pid for web in webs]
    finally:
        for web in webs:
            web.terminate()
        for web in webs:
            web.wait(20)


def steady(do: Callable[[], Any], over: threading.Event | None = None) -> Any:
    """Do it, again as often as a server that was just restarted makes it fail; None once `over`."""
    from django.db import DatabaseError, InterfaceError, connection

    began = time.monotonic()
    while time.monotonic() - began < STUCK:
        try:
            return do()
        except (DatabaseError, InterfaceError):
            connection.close()
            time.sleep(0.1)
            if over is not None and over.is_set():
                return None
    sys.exit("PostgreSQL does not come back.")


def load() -> str:
    return f"load average {os.getloadavg()[0]:.1f}"


def migrate() -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from launcher import roles

    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:  # The parts have the rights that they have at a club's.
        cursor.execute(roles.grants())


def _point_to(folder: str, environment: dict[str, str]) -> None:
    """Let Django use the servers of this folder, whatever the environment names."""
    for replaced in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(replaced, None)
    usual = {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "ERROR"}
    os.environ |= usual | environment | {"TIENLEN_DATA": folder}
