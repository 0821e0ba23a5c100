"""Log lines with the request or task they belong to, for people or as JSON for a collector.

No line has an address: addresses of result links and chairs are secrets. It has the route instead,
in place of every text with a slash: a mistyped address is written otherwise than it came.
"""

from __future__ import annotations

import datetime
import json
import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config import metrics, progress

log = logging.getLogger("requests")
# The id of the request or of the Celery task whose code is running.
work: ContextVar[str] = ContextVar("work", default="")
_ID = re.compile(r"[\w-]{8,64}", re.ASCII)
_QUIET = ("alive", "ready", "metrics")
FILE = "(file)"
# What logging itself puts on a record; anything else came with `extra`.
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime", "work", "request"}


def request_log(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, the outermost: gives each request an id, times it, and writes one line."""

    def handle(request: HttpRequest) -> HttpResponse:
        name = _request_id(request)
        token = work.set(name)
        request.work = name  # type: ignore[attr-defined]
        if going_on := progress.current.get():
            going_on.work = name
        began = time.perf_counter()
        try:
            response = get_response(request)
            _note(request, response.status_code, time.perf_counter() - began)
        finally:
            work.reset(token)
        response["X-Request-ID"] = name
        return response

    return handle


def route_of(request: HttpRequest, status: int = 404) -> str:
    """Return the pattern of the request's address, without what a visitor wrote into it."""
    if match := request.resolver_match:
        return f"/{match.route}"
    return FILE if status < 400 else "(no such address)"


def _request_id(request: HttpRequest) -> str:
    given = request.headers.get("X-Request-ID", "") if settings.TRUSTED_PROXIES else ""
    return given if _ID.fullmatch(given) else uuid.uuid4().hex


def _note(request: HttpRequest, status: int, seconds: float) -> None:
    route = route_of(request, status)
    method = request.method if request.method in metrics.METHODS else "other"
    metrics.REQUESTS.labels(method, route, str(status)).observe(seconds)
    if route == FILE or (request.resolver_match and request.resolver_match.url_name in _QUIET):
        return
    details = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
    log.info("%s %s %s in %.0f ms", method, route, status, 1000 * seconds, extra=details)


class Context(logging.Filter):
    """Puts the id of the running work on each record, and routes in place of addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        # Django says "Not Found" when all middleware is left.
        record.work = work.get() or getattr(request, "work", "-")
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(
                route_of(request) if isinstance(argument, str) and "/" in argument else argument
                for argument in record.args
            )
        return True


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, work, message, details, error."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "work": getattr(record, "work", "-"),
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
