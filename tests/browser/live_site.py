"""The product as it runs: uvicorn with streams, and the sweep that moves bots and clocks."""

import importlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from django.db import connections

from tables.play.acts import sweeps


@contextmanager
def site(*, fresh: bool = False) -> Iterator[str]:
    """The address of the product in front of the test's database.

    `fresh` makes the application anew, for settings that it reads once; later tests get theirs.
    """
    from config import asgi

    kept = dict(vars(asgi))
    application = importlib.reload(asgi).application if fresh else asgi.application
    config = uvicorn.Config(
        application, port=0, log_level="warning", timeout_graceful_shutdown=1, lifespan="off"
    )
    server = uvicorn.Server(config)
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    while not server.started:
        assert serving.is_alive()
        time.sleep(0.02)
    try:
        yield f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        serving.join(timeout=60)
        vars(asgi).update(kept)


@contextmanager
def clock() -> Iterator[None]:
    """Sweeps again and again, as the worker does."""
    stop = threading.Event()

    def run() -> None:
        while not stop.wait(0.25):
            sweeps.sweep()
        connections.close_all()

    ticking = threading.Thread(target=run, daemon=True)
    ticking.start()
    try:
        yield
    finally:
        stop.set()
        ticking.join(timeout=60)
