"""Heartbeats of processes: each touches a file for a watchdog.

`launcher.programs` and `docker-compose.yml` check that the file's time is recent. Workers also say
in the cache that they live, which reaches other machines (`config.server.facts.away`).
"""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

from celery import bootsteps
from celery.worker import state
from django.conf import settings
from django.core.cache import cache

log = logging.getLogger(__name__)
SECONDS, SAID_SECONDS, KNOWN_SECONDS = 2.0, 30.0, 7 * 86400
PARTS = ("worker", "mail", "simulations", "quick")


def give(name: str) -> None:
    """Touch the heartbeat file of the process with this name."""
    file = settings.DATA_DIR / "pulse" / name
    with suppress(OSError):  # A full disk must not stop the process.
        file.parent.mkdir(mode=0o700, exist_ok=True)
        file.touch()


def say(name: str) -> None:
    """Say in the cache that a part lives; it is missed for a week."""
    cache.set(f"part:{name}", int(time.time()), KNOWN_SECONDS)


async def of_web(receive: Any, send: Any, close: Callable[[], None]) -> None:
    """Send the heartbeat from the event loop while a web process lives (ASGI's lifespan).

    Once it is asked to stop, `close` ends what would stay open: the server waits for all answers
    before it says so here.
    """

    async def beat() -> None:
        while True:
            give(os.environ.get("TIENLEN_PART", "web"))
            await asyncio.sleep(SECONDS)

    await receive()
    _at_a_stop(partial(asyncio.get_running_loop().call_soon_threadsafe, close))
    beating = asyncio.create_task(beat())
    await send({"type": "lifespan.startup.complete"})
    await receive()
    beating.cancel()
    await send({"type": "lifespan.shutdown.complete"})


def _at_a_stop(close: Callable[[], object]) -> None:
    """Call `close` at the signals that stop a server, before its own answer to them."""
    for number in (signal.SIGTERM, signal.SIGINT):
        known = signal.getsignal(number)

        def stop(given: int, frame: FrameType | None, known: Any = known) -> None:
            close()
            known(given, frame)

        if callable(known):
            with suppress(ValueError):  # Tests serve from another thread, which hears no signal.
                signal.signal(number, stop)


class WorkerPulse(bootsteps.StartStopStep):
    """A worker step that sends the heartbeat from the loop that receives messages.

    It ends a worker that would receive none any more: the supervisor starts another one.
    """

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        name = parent.hostname.partition("@")[0]
        give(name)
        parent.timer.call_repeatedly(SECONDS, give, (name,))
        parent.timer.call_repeatedly(SECONDS, _end_if_deaf, (parent, []))
        # Who works for the queue `mail` or `quick` is the part of that name too.
        for part in {name, *parent.app.amqp.queues.consume_from}.intersection(PARTS):
            parent.timer.call_repeatedly(SAID_SECONDS, say, (part,))


def _end_if_deaf(worker: Any, known: list[bool]) -> None:
    """Ask a worker to end that takes no message at two looks, although it has no task.

    A message that is done while Valkey is away cannot be acknowledged. kombu then counts it as
    at work for ever, and with as many as the worker may hold it asks for no more.
    """
    consumer = getattr(worker.consumer, "task_consumer", None)
    channel = getattr(consumer, "channel", None)
    known.append(bool(channel and not channel.qos.can_consume() and not state.reserved_requests))
    if known[-2:] == [True, True]:
        log.warning("%s: it takes no messages any more and ends.", worker.hostname)
        state.should_stop = os.EX_TEMPFAIL  # type: ignore[assignment]
    del known[:-1]
