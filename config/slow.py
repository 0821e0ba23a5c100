"""Log lines about requests that take long, written while they still run."""

import logging

import psycopg
from django.urls import Resolver404, resolve

from config import logs, progress
from tables.live.stream import conninfo

log = logging.getLogger("requests.slow")

SECONDS = 5.0

# Never selects the statements: they contain people's texts and cards.
_HOLDERS = """
    SELECT format('%%s (%%s, %%s, in its transaction for %%s s)', holder.pid,
        coalesce(nullif(holder.application_name, ''), holder.backend_type), holder.state,
        coalesce(round(extract(epoch FROM now() - holder.xact_start))::text, '?'))
    FROM unnest(pg_blocking_pids(%s)) AS blocking (pid)
    JOIN pg_stat_activity AS holder ON holder.pid = blocking.pid
    ORDER BY holder.xact_start
"""


def tell(request: progress.RequestInProgress) -> None:
    """Log the request's route and the holders of the lock that it waits for."""
    token = logs.work.set(request.work)
    try:
        log.warning(
            "%s %s is not answered after %.0f s: %s",
            request.method, route_of(request.path), request.seconds, _reason(request),
        )  # fmt: skip
    finally:
        logs.work.reset(token)


def _reason(request: progress.RequestInProgress) -> str:
    if not request.backend:
        return "it has no connection to the database"
    try:
        found = holders(request.backend)
    except psycopg.Error as error:
        return f"the database does not answer ({type(error).__name__})"
    return f"waits for {', '.join(found)}" if found else "it waits for no lock"


def holders(backend: int) -> list[str]:
    """Return the holders of the locks that this PostgreSQL backend waits for, the oldest first."""
    limits = "-c statement_timeout=2s"
    with psycopg.connect(conninfo(), connect_timeout=2, options=limits) as connection:
        return [row[0] for row in connection.execute(_HOLDERS, [backend])]


def route_of(path: str) -> str:
    """Return an address's URL pattern, without the visitor's own text."""
    try:
        return f"/{resolve(path).route}"
    except Resolver404:
        return "(no such address)"
