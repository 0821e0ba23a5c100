"""Log lines with the id of their request or task, for people or as JSON for a collector.

No line contains an address, because those of result links and seats are secrets. The route replaces
every argument with a slash, since Django may log a mistyped address in another spelling.
"""

import datetime
import json
import logging
import random
import re
import time
from contextvars import ContextVar
from functools import cache
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from accounts.middleware import GetResponse, middleware
from config import metrics, progress

log = logging.getLogger("requests")
# The id of the running request or Celery task.
work: ContextVar[str] = ContextVar("work", default="")
_ids = random.Random()
"""No secrets: asking the system for each switches threads, which cost a twentieth of a move."""
_ID = re.compile(r"[\w-]{8,64}", re.ASCII)
_QUIET = ("alive", "ready", "metrics")
FILE = "(file)"
# The attributes that logging itself sets on a record; any other came with `extra`.
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime", "work", "request"}


@middleware
def request_log(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Give each request an id, time it and log one line: the outermost middleware."""
    given = request.headers.get("X-Request-ID", "") if settings.TRUSTED_PROXIES else ""
    name = given if _ID.fullmatch(given) else f"{_ids.getrandbits(128):032x}"
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


def route_of(request: HttpRequest, status: int = 404) -> str:
    """Return the request's URL pattern, without the visitor's own text."""
    if match := request.resolver_match:
        return f"/{match.route}"
    return FILE if status < 400 else "(no such address)"


def _note(request: HttpRequest, status: int, seconds: float) -> None:
    route = route_of(request, status)
    method = request.method if request.method in metrics.METHODS else "other"
    metrics.REQUESTS.labels(method, route, str(status)).observe(seconds)
    if route == FILE or (request.resolver_match and request.resolver_match.url_name in _QUIET):
        return
    details = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
    log.info("%s %s %s in %.0f ms", method, route, status, 1000 * seconds, extra=details)


class Context(logging.Filter):
    """A filter that adds the id of the running work and replaces addresses by routes."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        # Django logs "Not Found" after the middleware has reset `work`.
        record.work = work.get() or getattr(request, "work", "-")
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(
                route_of(request) if isinstance(argument, str) and "/" in argument else argument
                for argument in record.args
            )
        return True


LONG_SWEEP = 5.0  # Seconds.


class LongSweeps(logging.Filter):
    """A filter that drops what Celery says of periodic tasks that were quick and went well.

    With nobody there it said 332 lines a minute, which pushed the evening out of the log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        args = record.args
        if record.levelno > logging.INFO or not isinstance(args, dict):
            return True
        is_long = float(args.get("runtime", 0)) >= LONG_SWEEP
        return is_long or args.get("name") not in _periodic()


@cache
def _periodic() -> frozenset[str]:
    return frozenset(str(entry["task"]) for entry in settings.CELERY_BEAT_SCHEDULE.values())


class TextLines(logging.Formatter):
    """A formatter of lines; what a database that is away or full refuses is one, without a stack.

    Each refused save wrote sixty lines onto the full disk.
    """

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, InterfaceError | OperationalError):
            said = f"{record.getMessage()}: {error}".splitlines()[0]
            bare = {"msg": said, "args": (), "exc_info": None, "exc_text": None}
            record = logging.makeLogRecord(vars(record) | bare)
        return super().format(record)


class JsonLines(logging.Formatter):
    """A formatter of JSON lines with time, level, logger, work, message, details and error."""

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
