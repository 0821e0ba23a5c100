"""The stream of one table's public board, as server-sent events.

It runs in front of Django: a thousand open pages cost a thousand small queues and no thread. It
checks the host and the page's token itself, and sends the security headers of every other page.
"""

import asyncio
import contextlib
import json
import logging
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections, connection
from django.http.request import split_domain_port, validate_host
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.models import User
from tables.base import announce, rulesets
from tables.base.announce import TALK
from tables.chat.pages import talk
from tables.live import tokens, watching
from tables.live.announcements import Announcements
from tables.live.hub import BOARD, Hub, Listener, Rendered
from tables.live.rendered import rendered_board
from tables.models import Table
from tables.play.acts import absence
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tables.web import limits
from tables.web.access import may_see

log = logging.getLogger(__name__)

PATH = "/live/tables/"
HEARTBEAT = 15.0
RETRY = b"retry: 2000\n\n"
STILL_HERE = b": still here\n\n"
AGAIN = (500, 6000)
"""Milliseconds after which a page comes back to a server that starts again."""
RENEW = 60.0
GRACE = 4.0
"""Seconds after which a player without a stream is offline; a page that reloads is back sooner."""
RETRY_AFTER = 30
RENEWAL = b"event: renew\ndata: {}\n\n"
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
App = Callable[..., Awaitable[None]]


class LiveTables:
    """An ASGI application: streams at `PATH`, everything else to the application behind it."""

    def __init__(self, behind: App, announcements: Announcements) -> None:
        self._behind = behind
        self.hub = Hub(announcements, render)
        self._sharing: asyncio.Task[None] | None = None
        self._me = secrets.token_urlsafe(9)
        self._here: Counter[int] = Counter()
        self._missing: set[asyncio.Task[None]] = set()
        self._open = limits.OpenStreams()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PATH):
            network = limits.network_of(scope)
            if not self._open.has_room(network, settings.TABLES_STREAMS_PER_ADDRESS):
                await _refuse(send, 503, _language(scope))
                return
            with self._open.one_more(network):
                await self._stream(scope, receive, send)
        else:
            await self._behind(scope, receive, send)

    async def _stream(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        found = await _listener(scope)
        if isinstance(found, int):
            await _refuse(send, found, _language(scope))
            return
        listener, until, watcher = found
        if self._sharing is None or self._sharing.done():
            self._sharing = asyncio.get_running_loop().create_task(self._share())
        if listener.seat:
            await in_thread(watching.come, listener.seat, self._me)
        with listening(self.hub, listener, receive), self._present(listener.seat):
            await _start(send)
            await _feed(listener, until, send, self.hub, watcher)
            last = _again() if self.hub.is_closing else b""
            await send({"type": "http.response.body", "body": last, "more_body": False})

    @contextlib.contextmanager
    def _present(self, seat: int) -> Iterator[None]:
        """Count a player's streams; a while after the last one the player is offline."""
        self._here[seat] += 1
        try:
            yield
        finally:
            self._here[seat] -= 1
            if seat and not self._here[seat]:
                task = asyncio.get_running_loop().create_task(self._miss(seat))
                self._missing.add(task)
                task.add_done_callback(self._missing.discard)

    async def _miss(self, seat: int) -> None:
        await asyncio.sleep(GRACE)
        if not await in_thread(watching.is_elsewhere, seat, self._me):
            for here in (False, True):  # Who came back in between is not offline.
                if bool(self._here[seat]) == here:
                    await in_thread(absence.note, seat_id=seat, here=here)
        if not self._here[seat]:
            del self._here[seat]

    async def _share(self) -> None:
        """Exchange spectator counts with other processes while this one has listeners."""
        last = False
        while not last:
            await asyncio.sleep(watching.EVERY)
            last = not self.hub.listeners()
            try:
                self.hub.elsewhere = await in_thread(watching.share, self.hub.watched())
            except Exception:
                log.exception("The numbers of spectators cannot be shared")


@contextlib.contextmanager
def listening(hub: Hub, listener: Listener, receive: Receive) -> Iterator[None]:
    """Keep the listener in the hub; end its stream when the client disconnects."""
    hub.join(listener)
    gone = asyncio.ensure_future(_hung_up(receive))
    gone.add_done_callback(lambda _gone: listener.end())
    try:
        yield
    finally:
        gone.cancel()
        hub.leave(listener)


async def render(key: str, part: str, name: str, languages: frozenset[Any]) -> dict[Any, Rendered]:
    """Return a part of a table as an event in each language; empty if the table is gone.

    It uses the position cached in this process, or reads it from the database in a thread.
    """
    if part == BOARD and (position := known(key, name)):
        return in_each(languages, board_event, position)
    made: dict[Any, Rendered] = await in_thread(_read, key, part, languages)
    return made


def _read(key: str, part: str, languages: frozenset[Any]) -> dict[Any, Rendered]:
    table = positions.rows().filter(key=key).first()
    if table is None:
        return {}
    if part == TALK:
        return in_each(languages, talk_event, table)
    return in_each(languages, board_event, positions.of(table))


def in_each(
    languages: frozenset[Any], event: Callable[[Any], Rendered], of: Any
) -> dict[Any, Rendered]:
    """Return the event in each language."""
    made = {}
    for language in languages:
        with translation.override(language):
            made[language] = event(of)
    return made


def known(key: str, name: str) -> Position | None:
    """Return the announced position if it and its rules are cached."""
    position = positions.known(key, name)
    return position if position and rulesets.are_known(position.table) else None


async def present(keys: Collection[str]) -> list[tuple[str, str, int | None]]:
    """Return what is announced of these tables now."""
    found: list[tuple[str, str, int | None]] = await in_thread(announce.present, keys)
    return found


async def in_thread(work: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """Return the result of `work`, run in a thread that closes its database connection."""

    def run() -> Any:
        close_old_connections()
        try:
            return work(*args, **more)
        finally:
            connection.close()

    return await sync_to_async(run, thread_sensitive=False)()


def board_event(position: Position) -> Rendered:
    table, found = position.table, rendered_board(position)
    data = json.dumps({"version": table.version, "board": found.html})
    event = f"id: {table.version}\ndata: {data}\n\n".encode()

    def now() -> bytes:
        left = found.board.milliseconds
        return b"event: clock\ndata: %s\n\n%s" % (b"" if left is None else b"%d" % left, event)

    return Rendered(now, str(position.stamp), table.access_version)


def talk_event(table: Table) -> Rendered:
    html = render_to_string("tables/talk.html", {"table": table, "talk": talk.talk(table)})
    event = f"event: talk\ndata: {json.dumps({'talk': html})}\n\n".encode()
    return Rendered(lambda: event, html, table.access_version)


def security_headers() -> list[tuple[bytes, bytes]]:
    """Return the headers that Django's middleware puts on every page."""
    headers = {
        "content-security-policy": settings.CONTENT_SECURITY_POLICY,
        "cross-origin-opener-policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "referrer-policy": settings.SECURE_REFERRER_POLICY,
        "x-content-type-options": "nosniff",
        "x-frame-options": settings.X_FRAME_OPTIONS,
        **{name.lower(): value for name, value in settings.COMMON_HEADERS.items()},
    }
    if settings.SECURE_HSTS_SECONDS:
        parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
        parts += ["includeSubDomains"] * settings.SECURE_HSTS_INCLUDE_SUBDOMAINS
        parts += ["preload"] * settings.SECURE_HSTS_PRELOAD
        headers["strict-transport-security"] = "; ".join(parts)
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _listener(scope: dict[str, Any]) -> tuple[Listener, float, int] | int:
    """Return the listener, its end as `time.monotonic` and its account, or a refusal's status."""
    if not knows_host(scope):
        return 400
    if scope["method"] != "GET":
        return 405
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if "release" not in query:
        return 204  # An old page cannot show our boards: it asks, and is renewed by the answer.
    ticket = tokens.read(query.get("token", [""])[0])
    key = scope["path"][len(PATH) :].strip("/")
    if ticket is None or ticket.key != key:
        return 403
    tables = Table.objects.filter(key=key, access_version=ticket.access)
    if not ticket.seat:
        tables = tables.filter(watch_delay=Table.WatchDelay.NONE)
    if not await in_thread(tables.exists):
        return 403
    if ticket.watcher and not await in_thread(_may_watch, key, ticket.watcher):
        return 403
    if ticket.seat:
        await in_thread(absence.note, seat_id=ticket.seat, here=True)
    left = (ticket.until - timezone.now()).total_seconds()
    listener = Listener(key, _language(scope), ticket.access, seat=ticket.seat)
    return listener, time.monotonic() + left, ticket.watcher


def _may_watch(key: str, watcher: int) -> bool:
    """Return whether the account may still watch a table opened for others."""
    user = User.objects.filter(pk=watcher, is_active=True).first()
    table = positions.rows().filter(key=key).first()
    return bool(user and table) and may_see(table, None, user=user)


def _language(scope: dict[str, Any]) -> str:
    query = parse_qs(scope["query_string"].decode("latin-1"))
    language = query.get("language", [""])[0]
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def knows_host(scope: dict[str, Any]) -> bool:
    """Return whether the request names one of this server's hosts."""
    headers = {name.lower(): value for name, value in scope["headers"]}
    host, _port = split_domain_port(headers.get(b"host", b"").decode("latin-1"))
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS)


def _again() -> bytes:
    """Return the last event of a process that stops: pages come back spread over some seconds."""
    return b"retry: %d\nevent: again\ndata: {}\n\n" % random.randint(*AGAIN)


async def _start(send: Send) -> None:
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *security_headers(),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    first = RETRY + f"event: release\ndata: {settings.RELEASE}\n\n".encode()
    await send({"type": "http.response.body", "body": first, "more_body": True})


async def _feed(listener: Listener, until: float, send: Send, hub: Hub, watcher: int = 0) -> None:
    """Send the listener's events, and a heartbeat so that no proxy closes the connection.

    A changed number of spectators goes with the next event and triggers none itself. A minute
    before the token expires, the page is asked to reconnect with a new one; then the stream ends.
    It also ends when the account `watcher` may watch no longer.
    """
    renew, sent, looked = until - RENEW, 0, time.monotonic()
    while (now := time.monotonic()) < until:
        if watcher and now - looked > HEARTBEAT:
            looked = now
            if not await in_thread(_may_watch, listener.key, watcher):
                return
        event = RENEWAL
        if now < renew:
            news = await listener.take(min(HEARTBEAT, renew - now))
            if news is None:
                return
            event = b"".join(part.now() for part in news) or STILL_HERE
        else:
            renew = until
        if (watchers := hub.watchers(listener.key)) != sent:
            event, sent = event + b"event: watchers\ndata: %d\n\n" % watchers, watchers
        await send({"type": "http.response.body", "body": event, "more_body": True})


async def _hung_up(receive: Receive) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        while (await receive())["type"] != "http.disconnect":
            pass


async def _refuse(send: Send, status: int, language: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *security_headers()]
    said = ""
    if status == 503:
        headers.append((b"retry-after", b"%d" % RETRY_AFTER))
        with translation.override(language):
            said = gettext(
                "Too many pages from your network are following tables live. "
                "This page still asks every few seconds."
            )
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said.encode()})


def conninfo() -> str:
    """Return the connection string for LISTEN on the database that Django uses."""
    from psycopg.conninfo import make_conninfo

    if settings.DATABASE_LISTEN_URL:
        return str(settings.DATABASE_LISTEN_URL)
    known = ("dbname", "host", "port", "user", "password", "sslmode")
    params = connection.get_connection_params()
    return make_conninfo("", **{name: params[name] for name in known if params.get(name)})
