"""The current state of this server, in independent parts with short timeouts."""

from __future__ import annotations

import datetime
import functools
import platform
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import django
import redis
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config import metrics, progress, pulse, slow
from launcher import backup, locations, moments, proof, sealing, upgrade
from launcher.supervisor import noted
from tables.programs.jail.door import JailError, jail_tier
from tables.programs.jail.job import LANDLOCK, NAMESPACES

HELD_BY = {NAMESPACES: "namespaces, Landlock, seccomp", LANDLOCK: "Landlock, seccomp"}

T = TypeVar("T")
MOST = 20
OLD_BACKUP = datetime.timedelta(days=2)
OLD_PROOF = datetime.timedelta(days=10)
FULL = 0.1
"""Minimum share of free disk space; less is wrong."""
LATE_TABLE, LATE_LEASE, LONG_QUEUE = 10, 120, 100
"""Seconds that a table and a batch of bot games may wait, and messages in a queue."""
AWAY_SECONDS, MANY_RESTARTS = 120, 3
NEAR_END = datetime.timedelta(days=14)
"""Let's Encrypt renews thirty days before the end."""
TRUST = ssl.create_default_context
# The queries are small; a part that does not answer at once is shown as missing.
_LIMITS = "SET LOCAL statement_timeout = '2s'; SET LOCAL lock_timeout = '500ms'"
_WORK = ("tienlen_tables_late_seconds", "tienlen_lease_late_seconds", "tienlen_units_leased",
         "tienlen_units_waiting")  # fmt: skip
_LOCKS = """
    SELECT waiting.pid, coalesce(nullif(waiting.application_name, ''), waiting.backend_type),
        extract(epoch FROM now() - waiting.query_start)::float, holder.pid,
        coalesce(nullif(holder.application_name, ''), holder.backend_type), holder.state
    FROM pg_stat_activity AS waiting
    CROSS JOIN LATERAL unnest(pg_blocking_pids(waiting.pid)) AS blocking (pid)
    JOIN pg_stat_activity AS holder ON holder.pid = blocking.pid
    WHERE waiting.datname = current_database() AND waiting.wait_event_type = 'Lock'
    ORDER BY waiting.query_start LIMIT 20
"""
_NEWS = """
    SELECT coalesce(extract(epoch FROM now() - min(due_at) FILTER (
            WHERE state IN ('waiting', 'sending') AND due_at < now())), 0)::float,
        count(*) FILTER (WHERE state = 'failed' AND created_at > now() - interval '7 days')
    FROM league_newsitem
"""
_DATABASE = """
    SELECT current_setting('server_version'), pg_database_size(current_database()),
        (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
        (SELECT coalesce(extract(epoch FROM now() - min(xact_start)), 0)::float
         FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())
"""
_SIZES = """
    SELECT relname, greatest(n_live_tup, 0), pg_total_relation_size(relid)
    FROM pg_stat_user_tables ORDER BY 3 DESC, 1
"""


_KEPT = """
    SELECT current_setting('archive_mode') = 'on' AND current_setting('archive_command') <> '',
        last_archived_time, coalesce(last_failed_time > last_archived_time,
                                     last_failed_time IS NOT NULL),
        pg_size_bytes(current_setting('wal_segment_size'))
    FROM pg_stat_archiver
"""


@dataclass(frozen=True)
class LockWait:
    """A wait for a lock: the waiting process, the time in seconds, and the holder."""

    pid: int
    name: str
    seconds: float
    holder: int
    holder_name: str
    holder_state: str


@dataclass(frozen=True)
class DatabaseState:
    version: str
    bytes: int
    connections: int
    oldest_seconds: float
    """The age of the oldest open transaction."""


@dataclass(frozen=True)
class BrokerState:
    version: str
    queues: dict[str, int]


@dataclass(frozen=True)
class BackupState:
    """The backups that this process can see; `newest` is "" without any.

    `empty_since` is when their folder last changed; None where it cannot be seen.
    """

    newest: str
    at: float
    bytes: int
    count: int
    is_sealed: bool
    proof: proof.BackupProof | None
    empty_since: datetime.datetime | None


@dataclass(frozen=True)
class KeptLog:
    """What the embedded database's disk would take with it, were it to die now.

    Each moment from `since` until `until` can be restored; None without any. What came later is
    lost where the log `is_held_up`, otherwise the last minute. `is_short` is whether that is less
    than a week, though the database is older.
    """

    folder: Path
    is_on_one_disk: bool
    is_held_up: bool
    until: datetime.datetime | None
    since: datetime.datetime | None = None
    is_short: bool = False


@dataclass(frozen=True)
class RequestAge:
    method: str
    route: str
    seconds: float


@functools.cache
def release() -> str:
    """Return the commit of the checkout, or a fingerprint of the release's files without git."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],
            cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=2, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return upgrade.release_fingerprint()[:12]
    return done.stdout.strip()


def programs() -> dict[str, str]:
    """Return the versions that need no query to another process."""
    return {
        "Tiến Lên League": release(),
        "Python": platform.python_version(),
        "Django": django.get_version(),
        "Celery": metadata.version("celery"),
        platform.system(): f"{platform.release()} {platform.machine()}",
    }


def jail() -> str:
    """Return the mechanisms that jail foreign programs and files; "" if programs cannot start."""
    try:
        return HELD_BY[jail_tier()]
    except JailError:
        return ""


def database() -> DatabaseState | None:
    """Return the state of PostgreSQL; None if it does not answer."""
    return _asked(lambda: DatabaseState(*_rows(_DATABASE)[0]))


def locks() -> list[LockWait] | None:
    """Return the waits for locks, the longest first; None without a database."""
    return _asked(lambda: [LockWait(*row) for row in _rows(_LOCKS)])


def work() -> dict[str, float] | None:
    """Return the lateness of tables and leases, and the numbers of leased and waiting batches."""
    query = ", ".join(f"({metrics.GAUGES[name][1]})" for name in _WORK)
    return _asked(lambda: dict(zip(_WORK, map(float, _rows(f"SELECT {query}")[0]), strict=True)))


def news() -> tuple[float, int] | None:
    """Return the seconds that the oldest unsent message is late, and the failures in seven days."""
    return _asked(lambda: tuple(_rows(_NEWS)[0]))


def sizes() -> list[tuple[str, int, int]] | None:
    """Return each table's name, estimated number of rows, and bytes including indexes."""
    return _asked(lambda: _rows(_SIZES))


def broker() -> BrokerState | None:
    """Return Valkey's version and the length of each queue; None if it does not answer."""
    try:
        with redis.from_url(settings.REDIS_URL, **settings.REDIS_LIMITS) as server:
            about = server.info("server")
            version = about.get("valkey_version") or about.get("redis_version")
            queues = {queue: server.llen(queue) for queue in settings.QUEUES}
            return BrokerState(str(version), queues)
    except redis.RedisError:
        return None


def disk() -> tuple[int, int]:
    found = shutil.disk_usage(settings.DATA_DIR if settings.DATA_DIR.exists() else Path("/"))
    return found.free, found.total


def backups() -> BackupState:
    known = proof.last(settings.BACKUPS)
    there = backup.states(settings.BACKUPS)
    found = [(seen.st_mtime, file.name, seen.st_size) for file, seen in there.items()]
    at, newest, size = max(found, default=(0, "", 0))
    is_sealed = bool(newest) and sealing.is_sealed(settings.BACKUPS / newest)
    since = _empty_since(settings.BACKUPS)
    return BackupState(newest, at, size, len(found), is_sealed, known, since)


def kept_log() -> KeptLog | None:
    """Return where the embedded database's log is kept; None for a database elsewhere."""
    places = locations(settings.DATA_DIR)
    asked = _asked(lambda: _rows(_KEPT)[0])
    if asked is None or not moments.is_embedded(places):
        return None
    keeps, until, has_failed, size = asked
    try:
        is_on_one_disk, is_away = moments.is_on_one_disk(places), False
    except OSError:
        is_on_one_disk, is_away = False, True
    since, is_short = None, False
    with suppress(OSError):  # What can't be looked at is not said.
        since = moments.begins(places, size)
        is_short = moments.is_short(places, since, timezone.now())
    is_held_up = is_away or has_failed or not keeps
    return KeptLog(places.backups, is_on_one_disk, is_held_up, until, since, is_short)


def _empty_since(folder: Path) -> datetime.datetime | None:
    """Return when the folder was made or last changed; None where it cannot be seen from here."""
    with suppress(OSError):
        return datetime.datetime.fromtimestamp(folder.stat().st_mtime, datetime.UTC)
    return None


def away() -> list[str]:
    """Return the parts that lived within the last week, and not within two minutes."""
    said = cache.get_many([f"part:{name}" for name in pulse.PARTS])
    return [key.partition(":")[2] for key, at in said.items() if time.time() - at > AWAY_SECONDS]


def restarts() -> list[str]:
    """Return the parts that the supervisor started again too often within an hour, with counts."""
    times = noted(locations(settings.DATA_DIR).logs)
    return [f"{name} ×{len(at)}" for name, at in times.items() if len(at) >= MANY_RESTARTS]


def answers(address: str, seconds: float) -> bool:
    """Return whether the product answers at a public address, as a phone would see it."""
    try:
        urllib.request.urlopen(f"{address}/health/", timeout=seconds).close()
    except (OSError, HTTPException, ValueError):  # An address without http:// is none.
        return False
    return True


def ending_certificate(address: str, now: datetime.datetime, seconds: float) -> str:
    """Return what is wrong with an address's certificate, or its last day if that is near.

    It is "" without a certificate to look at: http, this machine, or no answer.
    """
    try:
        found, port = urlsplit(address), urlsplit(address).port or 443
    except ValueError:
        return ""
    if found.scheme != "https" or not found.hostname or found.hostname == "localhost":
        return ""
    try:
        with (
            socket.create_connection((found.hostname, port), seconds) as line,
            TRUST().wrap_socket(line, server_hostname=found.hostname) as secret,
        ):
            ends = ssl.cert_time_to_seconds(str((secret.getpeercert() or {})["notAfter"]))
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    except OSError:
        return ""
    at = datetime.datetime.fromtimestamp(ends, datetime.UTC)
    return f"{at:%Y-%m-%d}" if at - now < NEAR_END else ""


def requests() -> list[RequestAge]:
    """Return this process's requests in progress, the oldest first, as routes."""
    found = sorted(progress.all_of_them(), key=lambda request: request.began)
    return [
        RequestAge(request.method, slow.route_of(request.path), request.seconds)
        for request in found[:MOST]
    ]


@functools.cache
def licences() -> list[tuple[str, str, str]]:
    """Return the name, version and licence of every installed package."""
    found = {}
    for package in metadata.distributions():
        about = package.metadata.json
        words = str(about.get("license_expression") or "") or ", ".join(
            line.rpartition(" :: ")[2]
            for line in about.get("classifier") or ()
            if line.startswith("License ::")
        )
        licence = words or str(about.get("license") or "").strip().partition("\n")[0][:80]
        found[package.name] = (package.version, licence)
    return [(name, *found[name]) for name in sorted(found, key=str.lower)]


def _rows(query: str) -> list[Any]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LIMITS)
        cursor.execute(query)
        return list(cursor.fetchall())


def _asked(ask: Callable[[], T]) -> T | None:
    try:
        return ask()
    except DatabaseError:
        return None
