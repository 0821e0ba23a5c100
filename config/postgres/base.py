"""Connections of the pool, without those whose server has gone, and with limits to waiting.

Django can ask the server with each request whether it is still there. A server that has ended
hangs up, and that can be seen at the socket without asking it.
"""

from __future__ import annotations

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.postgresql.schema import DatabaseSchemaEditor

from config import waiting
from config.progress import note_backend


class SchemaEditor(DatabaseSchemaEditor):
    """Changes tables without making everyone wait for who reads them."""

    def __enter__(self) -> SchemaEditor:
        super().__enter__()
        if self.atomic_migration and not self.collect_sql:
            # An index that is made concurrently waits without holding anybody up.
            self.execute(f"SET LOCAL lock_timeout = '{waiting.MIGRATION_LOCK}s'")
        return self


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL that is alive when it comes from the pool."""

    SchemaEditorClass = SchemaEditor

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        if self.pool:
            while not (is_alive(connection) and waiting.bind(connection)):
                connection.close()
                self.pool.putconn(connection)  # The pool makes another one in its place.
                connection = super().get_new_connection(conn_params)
            note_backend(connection)
        return connection


def is_alive(connection: psycopg.Connection) -> bool:
    """Whether the server is there, as far as can be seen; something that came is looked into."""
    heard = select.poll()
    heard.register(connection.pgconn.socket, select.POLLIN)
    if not heard.poll(0):
        return True
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True
