"""The one door of people's names: what a page's reader gets of `Player.name`.

Pages need do nothing for it: the database writes the name as its reader sees it
into whatever a query selects. Queries in plain SQL ask for `shown(alias)`.
"""

import contextlib
import contextvars
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

_form: contextvars.ContextVar[str | None] = contextvars.ContextVar("names", default=None)


class NameStyle(models.TextChoices):
    """How a public club writes people's names for strangers."""

    FULL = "", gettext_lazy("full names")
    FIRST = "first", gettext_lazy("first names")
    INITIALS = "initials", gettext_lazy("initials")


class NameShown(models.TextChoices):
    """Whether strangers see a person's name."""

    AS_CLUB = "", gettext_lazy("as the club shows names")
    HIDDEN = "hidden", gettext_lazy("hidden")
    FOUND = "found", gettext_lazy("as the club, and anyone finds me by name")


if TYPE_CHECKING:
    _Text = models.CharField[str, str]
else:
    _Text = models.CharField

_NUMBER = gettext_lazy("Player %(number)s")
_SQL = {
    "": '{of}."name"',
    # The last word, with the single letters and numbers that tell twins apart.
    "first": r"""substring({of}."name" from '\S+(?:\s+(?:\S|\d+))*$')""",
    "initials": r"""regexp_replace({of}."name", '(\S)\S*\s*', '\1.', 'g')""",
}


def read_as(form: str | None) -> None:
    """Write names as the club shows them to strangers from now on; None: as they are."""
    _form.set(form)


@contextlib.contextmanager
def reading_as(form: str) -> Iterator[None]:
    """Write the names of what follows as the club shows them to strangers."""
    token = _form.set(form)
    try:
        yield
    finally:
        _form.reset(token)


def form() -> str | None:
    """Return how names are written now; None: as they are. Caches of names have it in their key."""
    return _form.get()


def shown(of: str) -> str:
    """Return the SQL of the name of a player, of the table or alias `of`, for who reads now.

    Bots are called the same by everyone, and people whose name was removed by their number, which
    everyone reads in their language.
    """
    number = _number(of, _NUMBER)
    removed = ", ".join(_number(of, word) for word in _stored_numbers())
    nameless = f"""{of}."name" IN ({removed})"""
    if (now := _form.get()) is None:
        return f"""CASE WHEN {of}."bot" = '' AND {nameless} THEN {number} ELSE {of}."name" END"""
    nameless = f"""{of}."shown" = 'hidden' OR {nameless}"""
    other = f"""right({of}."name", length({of}."id"::text) + 1) = ' ' || {of}."id\""""
    return (
        f"""CASE WHEN {of}."bot" = '' AND ({nameless}) THEN {number} """
        f"""WHEN {of}."bot" <> '' OR {other} THEN {of}."name" """
        f"""ELSE {_SQL[now].format(of=of)} END"""
    )


def _number(of: str, word: str | Promise) -> str:
    """Return the SQL of what a player without a name is called."""
    number = {"number": f"' || {of}.\"id\" || '"}
    return f"""('{str(word).replace("'", "''") % number}')"""


@cache
def _stored_numbers() -> list[str]:
    """Return what players without a name are called in each language."""
    found = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.append(str(_NUMBER))
    return found


def spellings(name: str) -> list[str]:
    """Return how a name may be stored: a number instead of one, in the language of any remover."""
    number = {"number": name.rpartition(" ")[2]}
    found = [word % number for word in _stored_numbers()]
    return found if name in found else [name]


class PersonName(_Text):
    """A person's name: selected as who reads may see it, stored as it is."""

    def select_format(self, compiler: Any, sql: str, params: Any) -> Any:
        of, _dot, column = sql.rpartition(".")
        return (shown(of), params) if column == '"name"' else (sql, params)

    def pre_save(self, instance: Any, add: bool) -> Any:
        if not add and _form.get() is not None:
            raise RuntimeError("A name as strangers see it is never stored.")
        return super().pre_save(instance, add)

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


class SeenName(models.Func):
    """A person's name as who reads now sees it, to be searched."""

    output_field = models.CharField()

    def as_sql(self, compiler: Any, connection: Any, *args: Any, **kwargs: Any) -> Any:
        sql, params = compiler.compile(self.source_expressions[0])
        return shown(sql.rpartition(".")[0]), params
