"""Sentences of the plain domain, put into the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from league.base.domain import names
from league.base.domain.names import LONGEST, NameProblem
from tables.refusals import Refusal

LONGEST_TITLE = 80


class Sentence(Protocol):
    """What the domain says: an English template and what fills its placeholders."""

    @property
    def template(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


class LineSentence(Sentence, Protocol):
    """What the domain says of one line."""

    @property
    def line(self) -> int: ...


def filled(sentence: Sentence) -> str:
    """Return the sentence in the active language."""
    text = _(sentence.template)
    return text % sentence.params if sentence.params else text


def amount(value: int, unit: str = "") -> str:
    """Return an amount in the reader's notation, with its unit: 1,350 đ, and −5."""
    number = number_format(value, 0, force_grouping=True).replace("-", "−")
    return f"{number} {unit}" if unit else number


def clean_name(name: str, most: int = LONGEST) -> str:
    """Return the name in its one clean form; Refusal on `name` where it has none."""
    try:
        return names.clean_name(name, most)
    except NameProblem as problem:
        raise Refusal(filled(problem), code="name", field="name") from problem


def clean_title(name: str) -> str:
    """Return the same for the name of a club, a season, an event or a schedule."""
    return clean_name(name, LONGEST_TITLE)


def at_line(problem: LineSentence) -> str:
    """Return what is wrong in a line of a list or a table, in the active language."""
    return _("Line %(line)s: %(problem)s") % {"line": problem.line, "problem": filled(problem)}


def refused(sentence: Sentence, *, field: str = "") -> Refusal:
    """Return the refusal that says this, with its parameters apart."""
    return Refusal(_(sentence.template), params=dict(sentence.params), field=field)


def told_by(error: ValidationError) -> tuple[str, dict[str, Any]]:
    """Return the first message of a refusal and what fills it, to be stored.

    Raised in English, the message is its own template.
    """
    errors = next(iter(error.error_dict.values())) if hasattr(error, "error_dict") else [error]
    first = errors[0].error_list[0]
    params = first.params or {}
    return str(first.message), {
        name: value if isinstance(value, int) else str(value) for name, value in params.items()
    }


def stored(template: str, params: object) -> str:
    """Return a stored sentence in the active language; as it is, where its parameters do not fit.

    Both may come from an archive that someone has written by hand, so that nothing is formatted.
    """
    text = _(template) if template else ""
    for name, value in params.items() if isinstance(params, dict) else ():
        text = text.replace(f"%({name})s", str(value))
    return text
