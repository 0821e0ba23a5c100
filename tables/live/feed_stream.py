"""Streams for programs: a table, or an account's own news, as lines of JSON.

They run in front of Django, like the pages' streams. A program sends its token in a header; it is
checked again while the stream is open, so that revoking it ends the stream.
"""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from engine.rules.state import EXCHANGE
from tables.base.announce import ACCOUNT
from tables.live.announcements import Announcements
from tables.live.hub import BOARD, Hub, Listener, Rendered
from tables.live.stream import (
    App,
    Receive,
    Send,
    in_thread,
    known,
    knows_host,
    listening,
    security_headers,
)
from tables.models import Seat, Table
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tables.play.pages import feeds
from tables.web import limits
from tables.web.access import may_see

PATH = re.compile(r"/api/v1/tables/(?:at/([-\w]{1,12})/)?stream/", re.ASCII)
HEARTBEAT = 10.0
PATIENCE = 10.0
"""Seconds to wait for the first line before the answer is 503."""
MOST = 16
"""Maximum of open streams for one account in one process."""

AccountOf = Callable[[str], Any]


class FeedStreams:
    """An ASGI application: streams for programs, everything else to the application behind it."""

    def __init__(self, behind: App, announcements: Announcements, *, account_of: AccountOf) -> None:
        self._behind = behind
        self._account_of = account_of
        self._open = limits.OpenStreams()
        self.hub = Hub(announcements, render, parts=(BOARD,), keeps_newest=False)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        path = PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        secret = _secret(scope) if path else ""
        if path is None or not secret or scope["method"] != "GET" or not knows_host(scope):
            # Without a token, or with another method, Django's view answers with the error.
            await self._behind(scope, receive, send)
            return
        user = await in_thread(self._account_of, secret)
        if user is None:
            await self._behind(scope, receive, send)
        elif not self._open.has_room(user.pk, MOST):
            await _refuse(send, 429, "too_many_streams")
        else:
            with self._open.one_more(user.pk):
                await self._stream(path.group(1) or "", user, secret, receive, send)

    async def _stream(self, key: str, user: Any, secret: str, receive: Receive, send: Send) -> None:
        if key and not await in_thread(_may_follow, key, user):
            await _refuse(send, 404, "no_such_table")
            return
        listener = Listener(key or f"{ACCOUNT}{user.pk}", user)
        with listening(self.hub, listener, receive):
            first = await listener.take(PATIENCE)
            if not first:
                is_gone = first is None and not self.hub.is_closing
                status, code = (404, "no_such_table") if is_gone else (503, "try_again")
                await _refuse(send, status, code)
                return
            await _start(send)
            await self._feed(listener, first, lambda: self._goes_on(secret, key), send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _goes_on(self, secret: str, key: str) -> bool:
        """Return whether the token still has an account, and that may still see the table."""
        user = self._account_of(secret)
        return user is not None and (not key or _may_follow(key, user))

    async def _feed(
        self,
        listener: Listener,
        news: list[Rendered] | None,
        goes_on: Callable[[], bool],
        send: Send,
    ) -> None:
        """Send a line after every change, and empty ones as a heartbeat, until the stream ends.

        It also ends when the token is revoked, or the account may see the table no longer.
        """
        looked = time.monotonic()
        while news is not None:
            body = news[0].now() if news else b"\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})
            if news and news[0].last:
                return
            news = await listener.take(HEARTBEAT)
            if time.monotonic() - looked > HEARTBEAT:
                looked = time.monotonic()
                if not await in_thread(goes_on):
                    return


async def render(key: str, part: str, name: str, users: frozenset[Any]) -> dict[Any, Rendered]:
    """Return the line for each of these accounts: the table, or the account's own news.

    It uses the position cached in this process, or reads it from the database in a thread.
    """
    position = known(key, name)
    if position and not _takes_long(position):
        return lines(position, users)
    made: dict[Any, Rendered] = await in_thread(read, key, users)
    return made


def _takes_long(position: Position) -> bool:
    """Return whether there is an exchange, with many choices to list."""
    return position.replayed is not None and position.replayed.state.phase == EXCHANGE


def _may_follow(key: str, user: Any) -> bool:
    """Return whether the account sits at this table or may watch it."""
    table = positions.rows().filter(key=key).first()
    if table is None or table.terms is None:
        return table is not None
    return may_see(table, positions.of(table).find(user=user), user=user)


def read(key: str, users: frozenset[Any]) -> dict[Any, Rendered]:
    if key.startswith(ACCOUNT):
        return {user: _own_line(user) for user in users}
    table = positions.rows().filter(key=key).first()
    return lines(positions.of(table), users) if table else {}


def lines(position: Position, users: frozenset[Any]) -> dict[Any, Rendered]:
    """Return the table's line for each of these accounts: its seat's, or the spectators'.

    At a table with a watch delay, spectators get no line.
    """
    delay, seats = position.table.watch_delay, {user: position.find(user=user) for user in users}
    seats = {user: seat for user, seat in seats.items() if seat or not delay}
    events = {seat: _line(position, seat) for seat in set(seats.values())}
    return {user: events[seat] for user, seat in seats.items()}


def _own_line(user: Any) -> Rendered:
    text = json.dumps(feeds.own_tables(user), ensure_ascii=False)
    return Rendered(f"{text}\n".encode, mark=text)


def _line(position: Position, seat: Seat | None) -> Rendered:
    """Return the table as this seat may see it, ending with the clock at the time of sending."""
    public = feeds.public(position)
    text = json.dumps(public.body | feeds.own(position, seat), ensure_ascii=False).encode()[:-1]

    def now() -> bytes:
        left = json.dumps(public.board.milliseconds).encode()
        return b'%s, "milliseconds": %s}\n' % (text, left)

    last = position.table.status == Table.Status.CLOSED
    return Rendered(now, mark=str(position.stamp), last=last)


def _secret(scope: dict[str, Any]) -> str:
    """Return the bearer token of the request, or ""."""
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
