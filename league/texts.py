"""Sentences of the plain domain, put into the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class Sentence(Protocol):
    """What the domain says: an English template and what fills its placeholders."""

    @property
    def template(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


class LineProblem(Sentence, Protocol):
    """What the domain says of one line."""

    @property
    def line(self) -> int: ...


def filled(sentence: Sentence) -> str:
    """The sentence in the active language."""
    text = _(sentence.template)
    return text % sentence.params if sentence.params else text


def at_line(problem: LineProblem) -> str:
    """What is wrong in a line of a list or a table, in the active language."""
    return _("Line %(line)s: %(problem)s") % {"line": problem.line, "problem": filled(problem)}


def refused(sentence: Sentence) -> ValidationError:
    """The refusal that says this, with its parameters apart."""
    return ValidationError(_(sentence.template), params=dict(sentence.params))


def told_by(error: ValidationError) -> tuple[str, dict[str, Any]]:
    """The first message of a refusal and what fills it, to be stored; raised in English, the
    message is its own template.
    """
    errors = next(iter(error.error_dict.values())) if hasattr(error, "error_dict") else [error]
    first = errors[0].error_list[0]
    params = first.params or {}
    return str(first.message), {
        name: value if isinstance(value, int) else str(value) for name, value in params.items()
    }


def stored(template: str, params: object) -> str:
    """A stored sentence in the active language; as it is, where its parameters do not fit.

    Both may come from an archive that somebody has written by hand, so that nothing is formatted.
    """
    text = _(template) if template else ""
    for name, value in params.items() if isinstance(params, dict) else ():
        text = text.replace(f"%({name})s", str(value))
    return text
