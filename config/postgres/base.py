"""Pooled database connections that are alive and have time limits.

Django can check a connection by a query for each request. But a server that has ended closes the
connection, which the socket shows without a query.
"""

from __future__ import annotations

import select
from typing import Any

import psycopg
from django.db import DataError
from django.db.backends.postgresql import base
from django.db.backends.postgresql.operations import DatabaseOperations
from django.db.backends.postgresql.schema import DatabaseSchemaEditor

from config import waiting
from config.progress import note_backend


class SchemaEditor(DatabaseSchemaEditor):
    """A schema editor with a lock timeout, so that a waiting migration does not block everyone."""

    def __enter__(self) -> SchemaEditor:
        super().__enter__()
        if self.atomic_migration and not self.collect_sql:
            # Non-atomic migrations need none: a concurrent index build blocks nobody while waiting.
            self.execute(f"SET LOCAL lock_timeout = '{waiting.MIGRATION_LOCK}s'")
        return self


class Operations(DatabaseOperations):
    """What is special about PostgreSQL; a whole number that its column cannot hold is an error."""

    def adapt_integerfield_value(self, value: Any, internal_type: str) -> Any:
        """Return the value as its column's type; psycopg would keep its last bits alone."""
        if isinstance(value, int):
            least, most = self.integer_field_range(internal_type)
            if not least <= value <= most:
                raise DataError(f"{internal_type} out of range")
        return super().adapt_integerfield_value(value, internal_type)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL that is checked when it comes from the pool."""

    SchemaEditorClass = SchemaEditor
    ops_class = Operations

    def get_new_connection(self, conn_params: Any) -> Any:
        connection = super().get_new_connection(conn_params)
        if self.pool:
            while not (is_alive(connection) and waiting.bind(connection)):
                connection.close()
                self.pool.putconn(connection)  # The pool replaces it.
                connection = super().get_new_connection(conn_params)
            note_backend(connection)
        return connection


def is_alive(connection: psycopg.Connection) -> bool:
    """Return whether the connection is alive; it is queried only if its socket has input."""
    heard = select.poll()
    heard.register(connection.pgconn.socket, select.POLLIN)
    if not heard.poll(0):
        return True
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True
