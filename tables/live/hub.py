"""One listener per process: what PostgreSQL announces goes to the pages that are open.

A page's queue holds the newest board alone: who is slow gets the present, not the past.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import psycopg

log = logging.getLogger(__name__)

BOARD, TALK = "board", "talk"
AGAIN = 1.0


class Rendered(NamedTuple):
    """A part of a table as an event, for those who listen under this access version.

    `left` says how many milliseconds the clock has when it is sent, where the part has a clock.
    """

    access: int
    event: bytes
    left: Callable[[], int | None] | None = None

    def now(self) -> bytes:
        """What is sent at this moment: the clock first."""
        if self.left is None:
            return self.event
        left = self.left()
        return b"event: clock\ndata: %s\n\n%s" % (b"" if left is None else b"%d" % left, self.event)


Render = Callable[[str, str, str, str], Awaitable[Rendered | None]]


class Listener:
    """An open page: the table and language it shows, and what it has not been sent yet."""

    def __init__(self, key: str, language: str, access: int = 1) -> None:
        self.key = key
        self.language = language
        self.access = access
        self._news: dict[str, Rendered] = {}
        self._over = False
        self._waiting: asyncio.Future[None] | None = None

    def give(self, rendered: Rendered | None, part: str = BOARD) -> None:
        """Puts an event in place of one that was not fetched.

        None ends the stream, and so does a table that is open under another access version.
        """
        if rendered is None or rendered.access != self.access:
            self.end()
        else:
            self._news[part] = rendered
            self._wake()

    def end(self) -> None:
        """Ends the stream: whoever waits for news is told at once."""
        self._over = True
        self._wake()

    async def take(self, seconds: float = 3600) -> bytes | None:
        """What is new, the board before the talk, or b"" after so long; None when it is over."""
        if not self._news and not self._over:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(seconds, self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        if self._over:
            return None
        parts, self._news = self._news, {}
        return b"".join(parts[part].now() for part in (BOARD, TALK) if part in parts)

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    """The open pages of this process, fed by one connection that listens."""

    def __init__(self, conninfo: Callable[[], str], channel: str, render: Render) -> None:
        self._conninfo = conninfo
        self._channel = channel
        self._render = render
        self._open: dict[str, set[Listener]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self._rendering: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._again: set[tuple[str, str]] = set()
        self._newest: dict[tuple[str, str, str], Rendered] = {}
        self._told: dict[str, str] = {}

    def join(self, listener: Listener) -> None:
        """Begins to feed a page with the newest board; the first one starts the listening.

        A board that was rendered since we listen is still the newest: no thousand renderings when
        a thousand pages come.
        """
        self._open[listener.key].add(listener)
        if self._task is None or self._task.done():
            self._newest.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        for part in (BOARD, TALK):
            newest = self._newest.get((listener.key, part, listener.language))
            if newest is None or newest.access != listener.access:
                self.refresh(listener.key, part)
            else:
                listener.give(newest, part)

    def leave(self, listener: Listener) -> None:
        """Forgets a page; the last one lets the connection go."""
        self._open[listener.key].discard(listener)
        if not self._open[listener.key]:
            del self._open[listener.key]
            self._told.pop(listener.key, None)
            for known in [known for known in self._newest if known[0] == listener.key]:
                del self._newest[known]
        if not self._open and self._task is not None:
            self._task.cancel()
            self._task = None

    def open_pages(self) -> int:
        """How many pages are open."""
        return sum(map(len, self._open.values()))

    async def _listen(self) -> None:
        """Listens until nobody is left; after every new connection all boards are sent anew."""
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._conninfo(), autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {self._channel}")
                    for key in list(self._open):
                        self.refresh(key, BOARD)
                        self.refresh(key, TALK)
                    async for note in connection.notifies():
                        key, _, what = note.payload.partition(":")
                        if what == TALK:
                            self.refresh(key, TALK)
                        elif key in self._open:
                            self._told[key] = what
                            self.refresh(key)
            except psycopg.OperationalError as error:
                log.warning("The database is away: %s", error)
            self._newest.clear()
            self._told.clear()
            await asyncio.sleep(AGAIN)

    def refresh(self, key: str, part: str = BOARD) -> None:
        """Renders a part of a table for its open pages; at most one rendering of it at a time."""
        if key not in self._open:
            return
        if (key, part) in self._rendering:
            self._again.add((key, part))
            return
        task = asyncio.get_running_loop().create_task(self._send(key, part))
        self._rendering[key, part] = task

    async def _send(self, key: str, part: str) -> None:
        try:
            for language in {listener.language for listener in self._open.get(key, ())}:
                rendered = await self._render(key, language, part, self._told.get(key, ""))
                if rendered is not None and key in self._open:
                    self._newest[key, part, language] = rendered
                for listener in list(self._open.get(key, ())):
                    if listener.language == language:
                        listener.give(rendered, part)
        except Exception:
            log.exception("The %s of table %s cannot be sent", part, key)
        finally:
            del self._rendering[key, part]
            if (key, part) in self._again:
                self._again.discard((key, part))
                self.refresh(key, part)
