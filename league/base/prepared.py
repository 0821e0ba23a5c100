"""Queries compiled to SQL once per process, for the reads of every entry of a result.

Compiling costs Django more than the rest of such a read. A `Slot` stands for a value that changes
between calls. Any other value is frozen at the first call, the current time included.
"""

import copy
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Expression, QuerySet
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")


class _Number(int):
    """The index of a call's argument, in place of its value among the SQL parameters."""


class Slot(Expression):
    """A placeholder for the call's argument with this index."""

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
    """A prepared query: the queryset that `make` returns, with values for its slots."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._written: _Written | None = None

    def __call__(self, *given: object) -> list[Row]:
        """Run the query and return its rows."""
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
        """Return the first row; `make` should limit the query to one."""
        return next(iter(self(*given)), None)

    def _write(self) -> _Written:
        rows: QuerySet[Any] = self._make()
        compiler = rows.query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, values = compiler.as_sql()
        return _Written(rows, compiler, sql, tuple(values))
