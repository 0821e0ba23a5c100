"""Attaching to a data folder's servers, or running them while they are needed."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from launcher.errors import LaunchError
from launcher.locations import Locations, locations, private_folder
from launcher.lock import DataLock, as_guest, holder, without_guests
from launcher.postgres import Postgres
from launcher.valkey import Valkey

ATTACH_SECONDS = 60
Server = Postgres | Valkey


def embedded_servers(
    places: Locations, *, durable: bool = True, keeps: bool = False
) -> list[Server]:
    """Return the servers that no environment variable replaces, in the order to start them.

    With `keeps` PostgreSQL's log is kept.
    """
    servers: list[Server] = []
    if not os.environ.get("DATABASE_URL"):
        servers.append(Postgres(places, durable=durable, keeps=keeps))
    if not os.environ.get("REDIS_URL"):
        servers.append(Valkey(places))
    return servers


@contextmanager
def services(
    data_dir: str | Path,
    *,
    what: str,
    durable: bool = True,
    keeps: bool = False,
    alone: bool = False,
) -> Iterator[None]:
    """Run the block with PostgreSQL and Valkey on this data folder.

    If another process runs them, the block uses those. Otherwise they are started, and stopped
    after the block once no other process uses them. `what` names this process to others. With
    `keeps` a PostgreSQL that is started keeps its log. With `alone`, another owner of the folder
    raises LaunchError. Call it from the main thread.
    """
    places = locations(data_dir)
    servers = embedded_servers(places, durable=durable, keeps=keeps)
    with ExitStack() as stack:
        if servers or alone:
            private_folder(places.data)
            _own_or_attach(places, servers, what, stack, alone=alone)
        yield


def _own_or_attach(
    places: Locations, servers: list[Server], what: str, stack: ExitStack, *, alone: bool
) -> None:
    lock = DataLock(places)
    deadline = time.monotonic() + ATTACH_SECONDS
    while alone or not _attach(places, servers, stack):
        if lock.acquire(what):
            stack.callback(lock.release)
            _run(places, servers, stack)
            return
        if alone:
            raise LaunchError(
                f"Nothing was changed: {holder(places)} works on {places.data}. Stop it (Ctrl-C, "
                "or systemctl stop), then try again."
            )
        if time.monotonic() > deadline:
            raise LaunchError(
                f"{holder(places)} holds {places.data} but its database does not answer: "
                f"look into {places.logs}, or end that process and try again."
            )
        time.sleep(0.05)


def _attach(places: Locations, servers: list[Server], stack: ExitStack) -> bool:
    """Return whether all servers answer; if so, hold the guest lock until the stack unwinds."""
    with ExitStack() as trial:
        trial.enter_context(as_guest(places))
        if not all(server.answers() for server in servers):
            return False
        stack.push(trial.pop_all())
    return True


def _run(places: Locations, servers: list[Server], stack: ExitStack) -> None:
    """Start the servers; unwinding the stack waits for guests, then stops them."""
    guests_gone = stack.enter_context(ExitStack())
    for server in servers:
        stack.callback(server.stop)
        server.start()
    stack.callback(lambda: guests_gone.enter_context(without_guests(places)))
