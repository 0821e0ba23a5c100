"""One listener per process: what PostgreSQL announces goes to the pages that are open.

A page's queue holds the newest board alone: who is slow gets the present, not the past.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable

import psycopg

log = logging.getLogger(__name__)

Render = Callable[[str, str], Awaitable[bytes | None]]
AGAIN = 1.0


class Listener:
    """An open page: the table and language it shows, and what it has not been sent yet."""

    def __init__(self, key: str, language: str) -> None:
        self.key = key
        self.language = language
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=1)

    def give(self, event: bytes | None) -> None:
        """Puts an event in place of one that was not fetched; None ends the stream."""
        with contextlib.suppress(asyncio.QueueEmpty):
            self.waiting.get_nowait()
        self.waiting.put_nowait(event)


class Hub:
    """The open pages of this process, fed by one connection that listens."""

    def __init__(self, conninfo: Callable[[], str], channel: str, render: Render) -> None:
        self._conninfo = conninfo
        self._channel = channel
        self._render = render
        self._open: dict[str, set[Listener]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self._rendering: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._newest: dict[tuple[str, str], bytes] = {}

    def join(self, listener: Listener) -> None:
        """Begins to feed a page with the newest board; the first one starts the listening.

        A board that was rendered since we listen is still the newest: no thousand renderings when
        a thousand pages come.
        """
        self._open[listener.key].add(listener)
        if self._task is None or self._task.done():
            self._newest.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        newest = self._newest.get((listener.key, listener.language))
        if newest is None:
            self.refresh(listener.key)
        else:
            listener.give(newest)

    def leave(self, listener: Listener) -> None:
        """Forgets a page; the last one lets the connection go."""
        self._open[listener.key].discard(listener)
        if not self._open[listener.key]:
            del self._open[listener.key]
            for known in [known for known in self._newest if known[0] == listener.key]:
                del self._newest[known]
        if not self._open and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        """Listens until nobody is left; after every new connection all boards are sent anew."""
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._conninfo(), autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {self._channel}")
                    for key in list(self._open):
                        self.refresh(key)
                    async for note in connection.notifies():
                        self.refresh(note.payload.partition(":")[0])
            except psycopg.OperationalError as error:
                log.warning("The database is away: %s", error)
            self._newest.clear()
            await asyncio.sleep(AGAIN)

    def refresh(self, key: str) -> None:
        """Renders a table's board for its open pages; at most one rendering at a time."""
        if key not in self._open:
            return
        if key in self._rendering:
            self._again.add(key)
            return
        self._rendering[key] = asyncio.get_running_loop().create_task(self._send(key))

    async def _send(self, key: str) -> None:
        try:
            for language in {listener.language for listener in self._open.get(key, ())}:
                event = await self._render(key, language)
                if event is not None and key in self._open:
                    self._newest[key, language] = event
                for listener in list(self._open.get(key, ())):
                    if listener.language == language:
                        listener.give(event)
        except Exception:
            log.exception("The board of table %s cannot be sent", key)
        finally:
            del self._rendering[key]
            if key in self._again:
                self._again.discard(key)
                self.refresh(key)
