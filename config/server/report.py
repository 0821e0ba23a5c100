"""What a bug report needs: figures and places in the code, and nothing that anyone wrote.

A log's own sentences may quote names or a link, so that of most lines only time, level and logger
are taken, and of an error its kind and the lines of code it went through.
"""

from __future__ import annotations

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

# None of these can hold a secret or a name.
SETTINGS = ("DEBUG", "HTTPS", "HSTS", "IN_LAN", "TRUSTED_PROXIES", "HAS_MAIL", "LOG_FORMAT",
            "SESSION_COOKIE_AGE", "TABLES_LEASE_SECONDS", "BOTS_FILE_NEEDED")  # fmt: skip
# Of these it is told that they are set, and nothing more.
ADDRESSES = ("DATABASE_URL", "REDIS_URL", "DATABASE_LISTEN_URL", "TIENLEN_BACKUPS",
             "TIENLEN_BACKUP_KEY", "METRICS_TOKEN")  # fmt: skip
# Their sentences have routes, times and process ids alone.
SAFE_LOGGERS = ("requests", "requests.slow")
LOGS = ("web", "worker", "simulations", "beat")
READ_BYTES, MOST_LINES = 500_000, 300

_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d+ ([A-Z]+) ([\w.]+) \[([\w-]*)\] (.*)")
_FRAME = re.compile(r'  File "([^"]+)", line (\d+), in ([\w<>]+)')
_KIND = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Timeout|Warning|Exit|Interrupt))(?::|$)")


def report() -> bytes:
    """Return the report as a file of JSON."""
    return json.dumps(_facts(), indent=1, ensure_ascii=False, default=str).encode()


def _facts() -> dict[str, Any]:
    database, broker, kept = facts.database(), facts.broker(), facts.backups()
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
            "newest": kept.newest,
            "seconds": timezone.now().timestamp() - kept.at if kept.newest else None,
            "bytes": kept.bytes,
            "proved": kept.proof.at if kept.proof else None,
            "failed": bool(kept.proof and kept.proof.problem),
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
    """Yield the last lines of one process's log, without what someone may have written."""
    file = locations(settings.DATA_DIR).logs / f"{name}.log"
    try:
        with file.open("rb") as log:
            log.seek(-min(READ_BYTES, file.stat().st_size), os.SEEK_END)
            lines = log.read().decode(errors="replace").splitlines()
    except OSError:
        return
    found = [kept for line in lines if (kept := safe(line))]
    yield from found[-MOST_LINES:]


def safe(line: str) -> str:
    """Return what of a log's line may leave the house; "" for nothing."""
    if line.startswith("{"):
        return _safe_json(line)
    if match := _LINE.match(line):
        at, level, logger, work, sentence = match.groups()
        told = sentence if logger in SAFE_LOGGERS else "..."
        return f"{at} {level} {logger} [{work}] {told}"
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
    told = found.get("message", "") if found.get("logger") in SAFE_LOGGERS else "..."
    first = f"{at:%Y-%m-%d %H:%M:%S} {found.get('level')} {found.get('logger')}"
    frames = (safe(each) for each in str(found.get("error", "")).splitlines())
    return "\n".join([f"{first} [{found.get('work')}] {told}", *filter(None, frames)])


def _place(path: str) -> str:
    """Return a file's path within the product or its libraries; a home folder has a name too."""
    for root in ("site-packages", Path(settings.BASE_DIR).name):
        if (at := path.rfind(f"/{root}/")) >= 0:
            return path[at + len(root) + 2 :]
    return Path(path).name
