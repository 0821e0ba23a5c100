"""Health checks for proxies and orchestrators: is the process alive, and can it serve."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from config import pulse
from config.handler import Handler

App = Callable[[Any, Any, Any], Awaitable[None]]


class Checks:
    """An ASGI application that answers health checks and metrics in threads of their own.

    So they are answered while all request threads are busy. The check whether the process is alive
    has its own thread, because the others may wait for PostgreSQL.
    """

    def __init__(self, behind: App, close: Callable[[], None]) -> None:
        """Serve `behind`; `close` ends its open streams at a stop."""
        self._behind, self._close = behind, close
        looks = Handler(threads=1, name="looks")
        self._apps: dict[str, App] = {
            "/health/": Handler(threads=1, name="alive"),
            "/health/ready/": looks,
            "/metrics/": looks,
        }

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await pulse.of_web(receive, send, self._close)
            return
        app = self._apps.get(scope.get("path"), self._behind)
        await app(scope, receive, send)


@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Return 200 as long as the process answers at all."""
    return HttpResponse("alive\n", content_type="text/plain; charset=utf-8")


@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if PostgreSQL and Valkey work; 503 with the names of those that do not."""
    away = [name for name, works in _PARTS.items() if not works()]
    if away:
        return HttpResponse(
            f"away: {', '.join(away)}\n", status=503, content_type="text/plain; charset=utf-8"
        )
    return HttpResponse("ready\n", content_type="text/plain; charset=utf-8")


_WRITES = """
    SET LOCAL work_mem = '64kB';
    SELECT pg_logical_emit_message(true, 'ready', '') FROM generate_series(1, 20000) LIMIT 1
"""
"""To the log, and more numbers than memory may hold to a new file: a full disk refuses that."""


def _database_works() -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_WRITES)
    except DatabaseError:
        return False
    return True


def _broker_works() -> bool:
    said = secrets.token_hex(8)
    try:
        with redis.from_url(settings.REDIS_URL, **settings.REDIS_LIMITS) as broker:
            broker.set("ready", said, ex=60)
            return bool(broker.get("ready"))
    except RedisError:
        return False


_PARTS = {"database": _database_works, "broker": _broker_works}
