"""The product's web process, to be killed with SIGKILL and started again at any moment.

    python -m tests.league.nights.killable < commands

Everything is imported once; then each line on the standard input kills the process that serves,
whatever it is doing, and forks a fresh one. The socket stays open meanwhile, as it does under a
supervisor that hands it on: who connects then waits. At the end of the input nothing is left.
"""

import os
import signal
import socket
import sys

import uvicorn
from django.db import connection, connections
from django.template.loader import get_template
from django.test import Client
from django.urls import get_resolver


def main() -> None:
    from config.asgi import application

    _load_everything()
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    serving = _fork(application, listening)
    print(listening.getsockname()[1], flush=True)
    for _line in sys.stdin:
        _kill(serving)
        serving = _fork(application, listening)
    _kill(serving)


def _load_everything() -> None:
    """What the first request would load, so that a fresh process answers at once."""
    assert get_resolver().url_patterns
    for name in ("table", "game", "round", "event", "check_in"):
        get_template(f"league/nights/{name}.html")
    assert Client().get("/", headers={"host": "localhost"}).status_code == 200
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined]


def _fork(application: object, listening: socket.socket) -> int:
    if child := os.fork():
        return child
    config = uvicorn.Config(application, log_level="warning", lifespan="off")  # type: ignore[arg-type]
    uvicorn.Server(config).run(sockets=[listening])
    os._exit(0)


def _kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main()
