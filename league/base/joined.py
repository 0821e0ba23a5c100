"""The reads of every entered game, written as SQL.

Django compiles a query again each time, which costs more than the rest of such a read.
"""

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model

from league.models.shown_names import PersonName, shown


class Joined:
    """A SELECT in which `{columns}` stands for all columns of `models`, named by their aliases.

    A call returns a list for each row: an instance of each model, None where an outer join found
    none, then the other values.
    """

    def __init__(self, sql: str, **models: type[Model]) -> None:
        self._columns = [_Columns(alias, model) for alias, model in models.items()]
        self._sql = sql

    def __call__(self, **values: Any) -> list[list[Any]]:
        sql = self._sql.format(columns=", ".join(each.sql for each in self._columns))
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return [self._read(row) for row in cursor.fetchall()]

    def _read(self, row: Sequence[Any]) -> list[Any]:
        found: list[Any] = []
        at = 0
        for columns in self._columns:
            end = at + len(columns.names)
            found.append(columns.read(list(row[at:end])))
            at = end
        return [*found, *row[at:]]


class _Columns:
    """All columns of a model; its key is the first one."""

    def __init__(self, alias: str, model: type[Model]) -> None:
        fields = model._meta.concrete_fields
        self._model = model
        self.names = [field.attname for field in fields]
        self._people = [at for at, one in enumerate(fields) if isinstance(one, PersonName)]
        self._alias, self._sql = alias, [f'{alias}."{field.column}"' for field in fields]
        converters = [getattr(field, "from_db_value", None) for field in fields]
        self._converters = [(at, convert) for at, convert in enumerate(converters) if convert]

    @property
    def sql(self) -> str:
        """The columns, with a person's name as who reads now sees it."""
        found = list(self._sql)
        for at in self._people:
            found[at] = shown(self._alias)
        return ", ".join(found)

    def read(self, values: list[Any]) -> Model | None:
        if values[0] is None:
            return None
        for at, convert in self._converters:
            values[at] = convert(values[at], None, connection)
        return self._model.from_db(DEFAULT_DB_ALIAS, self.names, values)
