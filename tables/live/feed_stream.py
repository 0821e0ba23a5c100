"""Streams for programs: a table, or an account's own news, as lines of JSON.

They stand before Django as the pages' streams do. A program's token is its header; it is looked
at again while the line is open, so that revoking it cuts the line.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple

import psycopg
from asgiref.sync import sync_to_async
from django.db import close_old_connections, connection

from tables.live.stream import conninfo, hung_up, knows_host, security_headers
from tables.models import Table
from tables.selectors import feeds
from tables.services import positions
from tables.services.announce import ACCOUNT, CHANNEL

log = logging.getLogger(__name__)

PATH = re.compile(r"/api/v1/tables/(?:at/([-\w]{1,12})/)?stream/", re.ASCII)
HEARTBEAT = 10.0
AGAIN = 1.0
MOST = 16
"""So many streams may one account have open in one process."""

App = Callable[..., Awaitable[None]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
AccountOf = Callable[[str], Any]


class Line(NamedTuple):
    """What a stream says now; `mark` changes when it says something else."""

    mark: str
    text: bytes
    over: bool


class Bell:
    """One connection per process that hears what changed, and rings for who waits for that key."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._task: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def at(self, key: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever something changed under this key."""
        rung = asyncio.Event()
        self._waiting[key].add(rung)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._listen())
        try:
            yield rung
        finally:
            self._waiting[key].discard(rung)
            if not self._waiting[key]:
                del self._waiting[key]
            if not self._waiting and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _listen(self) -> None:
        """Listens until nobody waits; after every new connection all are rung."""
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    conninfo(), autocommit=True
                ) as line:
                    await line.execute(f"LISTEN {CHANNEL}")
                    for key in list(self._waiting):
                        self._ring(key)
                    async for note in line.notifies():
                        self._ring(note.payload.partition(":")[0])
            except psycopg.OperationalError as error:
                log.warning("The database is away: %s", error)
            await asyncio.sleep(AGAIN)

    def _ring(self, key: str) -> None:
        for rung in self._waiting.get(key, ()):
            rung.set()


class FeedStreams:
    """An ASGI application: streams for programs, everything else to the application behind it."""

    def __init__(self, behind: App, *, account_of: AccountOf) -> None:
        self._behind = behind
        self._account_of = sync_to_async(_unconnected(account_of), thread_sensitive=False)
        self._line = sync_to_async(_unconnected(_say), thread_sensitive=False)
        self._open: Counter[int] = Counter()
        self.bell = Bell()

    def open_streams(self) -> int:
        """How many streams are open."""
        return self._open.total()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        path = PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        secret = _secret(scope) if path else ""
        if path is None or not secret or scope["method"] != "GET" or not knows_host(scope):
            # Without a token, or with another method, Django's own view says what is wrong.
            await self._behind(scope, receive, send)
            return
        user = await self._account_of(secret)
        if user is None:
            await self._behind(scope, receive, send)
        elif self._open[user.pk] >= MOST:
            await _refuse(send, 429, "too_many_streams")
        else:
            self._open[user.pk] += 1
            try:
                await self._stream(path.group(1) or "", user, secret, receive, send)
            finally:
                self._open[user.pk] -= 1

    async def _stream(self, key: str, user: Any, secret: str, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(hung_up(receive))
        try:
            with self.bell.at(key or f"{ACCOUNT}{user.pk}") as rung:
                line = await self._line(key, user)
                if line is None:
                    await _refuse(send, 404, "no_such_table")
                    return
                await _start(send)
                await self._feed(line, key, user, secret, rung, gone, send)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()

    async def _feed(
        self,
        line: Line | None,
        key: str,
        user: Any,
        secret: str,
        rung: asyncio.Event,
        gone: asyncio.Future[None],
        send: Send,
    ) -> None:
        """Says a line after every change, and an empty one now and then."""
        said, looked = "", time.monotonic()
        while line is not None and not gone.done():
            body = line.text if line.mark != said else b"\n"
            said = line.mark
            await send({"type": "http.response.body", "body": body, "more_body": True})
            if line.over:
                return
            ring = asyncio.ensure_future(rung.wait())
            either: set[asyncio.Future[Any]] = {ring, gone}
            await asyncio.wait(either, timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
            ring.cancel()
            rung.clear()
            if time.monotonic() - looked > HEARTBEAT:
                looked = time.monotonic()
                if await self._account_of(secret) is None:
                    return
            line = await self._line(key, user)


def _say(key: str, user: Any) -> Line | None:
    """What the stream of a table, or of an account where `key` is "", says now."""
    if not key:
        text = json.dumps(feeds.own_tables(user), ensure_ascii=False)
        return Line(text, f"{text}\n".encode(), over=False)
    table = positions.rows().filter(key=key).first()
    if table is None:
        return None
    position = positions.of(table)
    text = json.dumps(feeds.feed(position, position.find(user=user)), ensure_ascii=False)
    over = position.table.status == Table.Status.CLOSED
    return Line(str(position.table.version), f"{text}\n".encode(), over)


def _unconnected(work: Callable[..., Any]) -> Callable[..., Any]:
    """The work in a thread that keeps no connection."""

    def run(*args: Any) -> Any:
        close_old_connections()
        try:
            return work(*args)
        finally:
            connection.close()

    return run


def _secret(scope: dict[str, Any]) -> str:
    """The token of the request; "" for none."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    kind, _space, secret = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


async def _start(send: Send) -> None:
    headers = [
        (b"content-type", b"application/x-ndjson"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *security_headers(),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _refuse(send: Send, status: int, code: str) -> None:
    headers = [(b"content-type", b"application/json"), *security_headers()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"code": code}).encode()})
