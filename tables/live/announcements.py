"""The process's one PostgreSQL listener, which passes notifications to subscribers by key.

A notification may be lost, so it also looks at what it listens to.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable

import psycopg

from tables.base.announce import TALK

log = logging.getLogger(__name__)

AGAIN = 1.0
LOOK = 3.0
"""Seconds before the next connection, and between two looks."""
Tell = Callable[[str, str], None]
Present = Callable[[Collection[str]], Awaitable[Iterable[tuple[str, str, int | None]]]]


async def _nothing(_keys: Collection[str]) -> list[tuple[str, str, int | None]]:
    return []


class Announcements:
    """One connection that listens while there is a subscriber.

    `Tell` gets the key and the announcement. The announcement is "" after every new connection,
    because earlier ones may have been missed. `present` returns for keys of tables the announcement
    of each, and its newest message.
    """

    def __init__(
        self, conninfo: Callable[[], str], channel: str, present: Present = _nothing
    ) -> None:
        self._conninfo = conninfo
        self._present = present
        self._told: dict[str, str] = {}
        self._channel = channel
        self._waiting: dict[str, set[Tell]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None
        self.are_heard = False

    def hear(self, key: str, tell: Tell) -> None:
        """Subscribe to this key; the first subscriber opens the connection."""
        self._waiting[key].add(tell)
        if self._task is None or self._task.done():
            self.are_heard = False
            self._task = asyncio.get_running_loop().create_task(self._listen())

    def ignore(self, key: str, tell: Tell) -> None:
        """Unsubscribe from this key; the last subscriber closes the connection."""
        self._waiting[key].discard(tell)
        if not self._waiting[key]:
            del self._waiting[key]
            self._told.pop(key, None)
        if not self._waiting and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._conninfo(), autocommit=True
                ) as connection:
                    await connection.execute(f"LISTEN {self._channel}")
                    self.are_heard = True
                    for key in list(self._waiting):
                        self._tell(key, "")
                    looking = asyncio.get_running_loop().create_task(self._look())
                    try:
                        async for note in connection.notifies():
                            for news in note.payload.split("\n"):
                                key, _, what = news.partition(":")
                                self._tell(key, what)
                    finally:
                        looking.cancel()
            except psycopg.OperationalError as error:
                log.warning("The database is away: %s", error)
            self.are_heard = False
            await asyncio.sleep(AGAIN)

    async def _look(self) -> None:
        """Tell from time to time what is present, where it is not what was told."""
        talks: dict[str, int | None] = {}
        while True:
            await asyncio.sleep(LOOK)
            told = dict(self._told)
            try:
                found = list(await self._present(list(self._waiting)))
            except Exception:
                log.exception("Tables cannot be looked at")
                continue
            for key, what, talk in found:
                if what != told.get(key) == self._told.get(key):
                    self._tell(key, what)
                if talk != talks.get(key):
                    self._tell(key, TALK)
            talks = {key: talk for key, _what, talk in found}

    def _tell(self, key: str, what: str) -> None:
        if what != TALK and key in self._waiting:
            self._told[key] = what
        for tell in list(self._waiting.get(key, ())):
            tell(key, what)
