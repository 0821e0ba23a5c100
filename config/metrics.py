"""Metrics for Prometheus.

They cover the requests and streams of this process, and the state of tables, runs and queues in the
database and Valkey. docs/hosting.md explains each. Scrape every web process: requests and streams
differ between them.
"""

import hmac
import time
from collections.abc import Callable, Iterator

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from config import progress
from config.held import Budget
from launcher import backup, proof

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
REGISTRY = CollectorRegistry()
REQUESTS = Histogram(
    "tienlen_request_seconds",
    "How long requests took in this process",
    ["method", "route", "status"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10),
    registry=REGISTRY,
)
_STREAMS = Gauge("tienlen_streams", "Open streams of this process", ["kind"], registry=REGISTRY)
_HELD = Gauge(
    "tienlen_held_bytes",
    "Bodies on their way and answers not yet read in this process",
    ["kind"],
    registry=REGISTRY,
)
_HELD_MOST = Gauge(
    "tienlen_held_bytes_limit", "How many of them it holds at most", ["kind"], registry=REGISTRY
)
Gauge(
    "tienlen_requests_in_progress",
    "Requests of this process that are not answered yet",
    registry=REGISTRY,
).set_function(progress.count)
Gauge(
    "tienlen_request_oldest_seconds",
    "For how long the oldest of them has been in progress",
    registry=REGISTRY,
).set_function(progress.oldest)
ProcessCollector(registry=REGISTRY)

# One value per query, which an index or a sequence makes cheap.
GAUGES = {
    "tienlen_tables_late_seconds": (
        "How long the table that has waited longest for the sweep is due",
        "SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0) FROM tables_table"
        " WHERE due_at <= now()",
    ),
    "tienlen_lease_late_seconds": (
        "How long the oldest lease of bots' games has been over without being found",
        "SELECT coalesce(greatest(extract(epoch FROM now() - min(lease_until)), 0), 0)"
        " FROM tables_unit WHERE state = 'leased'",
    ),
    "tienlen_units_leased": (
        "Blocks of bots' games that workers hold",
        "SELECT count(*) FROM tables_unit WHERE state = 'leased'",
    ),
    "tienlen_units_waiting": (
        "Blocks of bots' games that wait for a worker",
        "SELECT count(*) FROM tables_unit u JOIN tables_run r ON r.id = u.run_id"
        " WHERE u.state = 'waiting' AND r.status = 'running'",
    ),
    "tienlen_work_waiting_seconds": (
        "How long one worker would play the blocks that wait, by what those of their run took",
        "SELECT coalesce(sum(waiting * coalesce(r.spent / 1000.0 / nullif(done, 0), 4)), 0)"
        " FROM tables_run r, LATERAL (SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,"
        " count(*) FILTER (WHERE state = 'done') AS done FROM tables_unit WHERE run_id = r.id) u"
        " WHERE r.status = 'running'",
    ),
    "tienlen_verify_differences": (
        "What the last nightly proof found different; 0 is well",
        "SELECT coalesce((SELECT count FROM league_verification WHERE finished_at IS NOT NULL"
        " ORDER BY day DESC LIMIT 1), 0)",
    ),
}
_COUNTERS = {
    "tienlen_actions": (
        "Actions at live tables since the installation began",
        "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('tables_action', 'id')), 0)",
    ),
    "tienlen_results": (
        "Results that were entered, corrections included",
        "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('league_result', 'id')), 0)",
    ),
}
_TABLES = "SELECT status, count(*) FROM tables_table WHERE status <> 'closed' GROUP BY status"


def watch_streams(kind: str, count: Callable[[], int]) -> None:
    """Register `count` as the number of open streams of a kind."""
    _STREAMS.labels(kind).set_function(count)


def streams() -> int:
    """Return how many streams this process has open."""
    return int(sum(one.value for metric in _STREAMS.collect() for one in metric.samples))


def watch_budget(kind: str, budget: Budget) -> None:
    """Register a budget's held bytes and its limit."""
    _HELD.labels(kind).set_function(lambda: budget.held)
    _HELD_MOST.labels(kind).set(budget.most)


class Everywhere(Collector):
    """The metrics that are the same in every process, read at each scrape."""

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        try:
            yield from self._database()
        except DatabaseError:
            yield GaugeMetricFamily("tienlen_database_up", "Whether PostgreSQL answers", 0)
        else:
            yield GaugeMetricFamily("tienlen_database_up", "Whether PostgreSQL answers", 1)
        yield from self._queues()
        yield from self._backups()

    def _database(self) -> Iterator[Metric]:
        with connection.cursor() as cursor:
            for family, asked in ((GaugeMetricFamily, GAUGES), (CounterMetricFamily, _COUNTERS)):
                for name, (text, query) in asked.items():
                    cursor.execute(query)
                    yield family(name, text, float(cursor.fetchone()[0]))
            tables = GaugeMetricFamily("tienlen_tables", "Live tables by status", labels=["status"])
            cursor.execute(_TABLES)
            for status, count in cursor.fetchall():
                tables.add_metric([status], count)
            yield tables

    def _queues(self) -> Iterator[Metric]:
        queues = GaugeMetricFamily(
            "tienlen_queue_messages", "Messages that wait in Valkey", labels=["queue"]
        )
        answers = 1
        try:
            with redis.from_url(settings.REDIS_URL, **settings.REDIS_LIMITS) as broker:
                for queue in settings.QUEUES:
                    queues.add_metric([queue], broker.llen(queue))
        except redis.RedisError:
            answers = 0
        yield queues
        yield GaugeMetricFamily("tienlen_broker_up", "Whether Valkey answers", answers)

    def _backups(self) -> Iterator[Metric]:
        found = backup.states(settings.BACKUPS).values()
        if newest := max(found, key=lambda file: file.st_mtime, default=None):
            yield GaugeMetricFamily(
                "tienlen_backup_age_seconds",
                "How long ago the newest backup was written",
                time.time() - newest.st_mtime,
            )
            yield GaugeMetricFamily(
                "tienlen_backup_bytes", "How large the newest backup is", newest.st_size
            )
        if known := proof.last(settings.BACKUPS):
            yield GaugeMetricFamily(
                "tienlen_backup_proof_age_seconds",
                "How long ago a backup was restored beside the database and compared",
                time.time() - known.moment.timestamp(),
            )
            yield GaugeMetricFamily(
                "tienlen_backup_proof_failed", "Whether it was no good", float(bool(known.problem))
            )


REGISTRY.register(Everywhere())


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics in the text format; raise `Http404` without METRICS_TOKEN."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(
        given.encode("utf-8", "replace"), settings.METRICS_TOKEN.encode()
    ):
        raise Http404
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)
