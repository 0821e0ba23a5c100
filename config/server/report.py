"""The bug report: figures and code locations, without any text that people wrote.

Log messages may quote names or a link. So most log lines are reduced to time, level, logger and
work id, and an error to its kind and its stack frames.
"""

import datetime
import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config.server import facts
from launcher import locations
from league.models import Verification

# None of these can contain a secret or a name.
SETTINGS = ("DEBUG", "HTTPS", "HSTS", "IN_LAN", "TRUSTED_PROXIES", "HAS_MAIL", "LOG_FORMAT",
            "SESSION_COOKIE_AGE", "TABLES_LEASE_SECONDS", "BOTS_FILE_NEEDED")  # fmt: skip
# For these the report says only that they are set.
ADDRESSES = ("DATABASE_URL", "REDIS_URL", "DATABASE_LISTEN_URL", "TIENLEN_BACKUPS",
             "TIENLEN_BACKUP_KEY", "METRICS_TOKEN")  # fmt: skip
# Their messages contain only routes, times and process ids.
SAFE_LOGGERS = ("requests", "requests.slow")
LOGS = ("web", "web-2", "worker", "mail", "simulations", "beat")
READ_BYTES, MOST_LINES = 500_000, 300

_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d+ ([A-Z]+) ([\w.]+) \[([\w-]*)\] (.*)")
_FRAME = re.compile(r'  File "([^"]+)", line (\d+), in ([\w<>]+)')
_KIND = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Timeout|Warning|Exit|Interrupt))(?::|$)")


def report() -> bytes:
    return json.dumps(_facts(), indent=1, ensure_ascii=False, default=str).encode()


def _facts() -> dict[str, Any]:
    database, broker, backups = facts.database(), facts.broker(), facts.backups()
    return {
        "made": timezone.now(),
        "programs": facts.programs(),
        "settings": {name: getattr(settings, name) for name in SETTINGS}
        | {name: "set" for name in ADDRESSES if os.environ.get(name)},
        "database": asdict(database) if database else None,
        "tables": facts.sizes(),
        "migrations": _migrations(),
        "broker": asdict(broker) if broker else None,
        "work": facts.work(),
        "news": facts.news(),
        "locks": [asdict(wait) for wait in facts.locks() or ()],
        "requests": [asdict(request) for request in facts.requests()],
        "disk": facts.disk(),
        "backups": {
            "newest": backups.newest,
            "seconds": timezone.now().timestamp() - backups.at if backups.newest else None,
            "bytes": backups.bytes,
            "proved": backups.proof.at if backups.proof else None,
            "failed": bool(backups.proof and backups.proof.problem),
        },
        "nightly checks": list(
            Verification.objects.values("day", "started_at", "finished_at", "count", "checked")[:14]
        ),
        "logs": {name: list(_log(name)) for name in LOGS},
    }


def _migrations() -> list[str] | None:
    try:
        applied = MigrationRecorder.Migration.objects.order_by("app", "name")
        return [f"{app}.{name}" for app, name in applied.values_list("app", "name")]
    except DatabaseError:
        return None


def _log(name: str) -> Iterator[str]:
    """Yield the last lines of one process's log, without text that people may have written."""
    file = locations(settings.DATA_DIR).logs / f"{name}.log"
    try:
        with file.open("rb") as log:
            log.seek(-min(READ_BYTES, file.stat().st_size), os.SEEK_END)
            lines = log.read().decode(errors="replace").splitlines()
    except OSError:
        return
    found = [part for line in lines if (part := safe(line))]
    yield from found[-MOST_LINES:]


def safe(line: str) -> str:
    """Return the part of a log line that may leave the server, or ""."""
    if line.startswith("{"):
        return _safe_json(line)
    if match := _LINE.match(line):
        at, level, logger, work, sentence = match.groups()
        message = sentence if logger in SAFE_LOGGERS else "..."
        return f"{at} {level} {logger} [{work}] {message}"
    if match := _FRAME.match(line):
        return f"  {_place(match[1])}:{match[2]} {match[3]}"
    if match := _KIND.match(line):
        return match[1]
    return ""


def _safe_json(line: str) -> str:
    try:
        found = json.loads(line)
        at = datetime.datetime.fromisoformat(found["time"])
    except (ValueError, KeyError, TypeError):
        return ""
    message = found.get("message", "") if found.get("logger") in SAFE_LOGGERS else "..."
    first = f"{at:%Y-%m-%d %H:%M:%S} {found.get('level')} {found.get('logger')}"
    frames = (safe(each) for each in str(found.get("error", "")).splitlines())
    return "\n".join([f"{first} [{found.get('work')}] {message}", *filter(None, frames)])


def _place(path: str) -> str:
    """Return a file's path within the product or its libraries: a home folder names a person."""
    for root in ("site-packages", Path(settings.BASE_DIR).name):
        if (at := path.rfind(f"/{root}/")) >= 0:
            return path[at + len(root) + 2 :]
    return Path(path).name
