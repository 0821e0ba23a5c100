"""What a proxy or an orchestrator asks: is the process alive, and can it serve?"""

from __future__ import annotations

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError


@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """200 as long as the process answers at all."""
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """200 when PostgreSQL and Valkey answer; 503 with the name of what does not."""
    away = [name for name, answers in _PARTS.items() if not answers()]
    if away:
        return HttpResponse(f"away: {', '.join(away)}\n", status=503, content_type="text/plain")
    return HttpResponse("ready\n", content_type="text/plain")


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker_answers() -> bool:
    try:
        cache.get("ready")
    except RedisError:
        return False
    return True


_PARTS = {"database": _database_answers, "broker": _broker_answers}
