"""The process's one PostgreSQL listener, which passes notifications to subscribers by key."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable

import psycopg

log = logging.getLogger(__name__)

AGAIN = 1.0
Tell = Callable[[str, str], None]


class Announcements:
    """One connection that listens while there is a subscriber.

    `Tell` gets the key and the announcement. The announcement is "" after every new connection,
    because earlier ones may have been missed.
    """

    def __init__(self, conninfo: Callable[[], str], channel: str) -> None:
        self._conninfo = conninfo
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
                    async for note in connection.notifies():
                        key, _, what = note.payload.partition(":")
                        self._tell(key, what)
            except psycopg.OperationalError as error:
                log.warning("The database is away: %s", error)
            self.are_heard = False
            await asyncio.sleep(AGAIN)

    def _tell(self, key: str, what: str) -> None:
        for tell in list(self._waiting.get(key, ())):
            tell(key, what)
