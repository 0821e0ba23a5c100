"""Connections of the pool, without those whose server has gone.

Django can ask the server with each request whether it is still there. A server that has ended
hangs up, and that can be seen at the socket without asking it.
"""

from __future__ import annotations

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL that is alive when it comes from the pool."""

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        while self.pool and not is_alive(connection):
            connection.close()
            self.pool.putconn(connection)  # The pool makes another one in its place.
            connection = super().get_new_connection(conn_params)
        return connection


def is_alive(connection: psycopg.Connection) -> bool:
    """Whether the server is there, as far as can be seen; something that came is looked into."""
    waiting = select.poll()
    waiting.register(connection.pgconn.socket, select.POLLIN)
    if not waiting.poll(0):
        return True
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True
