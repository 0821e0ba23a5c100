"""Reads whose SQL is written once in a process, for what every entry of a game asks.

Writing SQL costs Django more than all else that such a read does. What changes from call to call is
a `Slot`; anything else in the rows would keep its first value, the time as well.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")


class _Number(int):
    """The place of a value that the call gives, among what the SQL is sent with."""


class Slot(Expression):
    """The value with this number of those that the call gives."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[int, ...]]:
        return "%s", (_Number(self.number),)


class _Written(NamedTuple):
    rows: QuerySet[Any]
    compiler: SQLCompiler
    sql: str
    values: tuple[Any, ...]


class Prepared(Generic[Row]):
    """The rows that `make` returns, to be read with values for the slots in them."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._written: _Written | None = None

    def __call__(self, *given: object) -> list[Row]:
        """Return the rows as they are now."""
        if self._written is None:
            self._written = self._write()
        written = self._written
        compiler = copy.copy(written.compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        values: Any = tuple(given[v] if isinstance(v, _Number) else v for v in written.values)
        compiler.as_sql = lambda *args, **kwargs: (written.sql, values)  # type: ignore[method-assign]
        rows = written.rows.all()
        rows.query.get_compiler = lambda *args, **kwargs: compiler  # type: ignore[method-assign]
        return list(rows)

    def first(self, *given: object) -> Row | None:
        """Return the first of the rows, which `make` has limited to one."""
        return next(iter(self(*given)), None)

    def _write(self) -> _Written:
        rows: QuerySet[Any] = self._make()
        compiler = rows.query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, values = compiler.as_sql()
        return _Written(rows, compiler, sql, tuple(values))
