"""Translation of the domain's sentences into the reader's language."""

from collections.abc import Container, Mapping
from fractions import Fraction
from typing import Any, Protocol

from django.core.exceptions import ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.domain import names
from league.base.domain.names import LONGEST, NameProblem
from tables.base import words
from tables.base.currencies import amount, bare
from tables.refusals import Refusal

__all__ = ["amount", "bare"]

LONGEST_TITLE = 80


class Sentence(Protocol):
    """A sentence of the domain: an English template and the values of its placeholders."""

    @property
    def template(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


class LineSentence(Sentence, Protocol):
    """A sentence of the domain about one line."""

    @property
    def line(self) -> int: ...


def filled(sentence: Sentence) -> str:
    """Return the sentence in the active language."""
    text = _(sentence.template)
    return text % sentence.params if sentence.params else text


def points(value: Fraction) -> str:
    """Return points with at most two decimals, in the reader's notation: 3, 1.5, 0.67."""
    rounded = round(float(value), 2) + 0.0  # A sum that rounds to −0.0 is 0.
    places = 0 if rounded == int(rounded) else 1 if rounded * 10 == int(rounded * 10) else 2
    return number_format(rounded, places).replace("-", "−")


def points_told(value: Fraction) -> str:
    """Return points with their word: 1 point, 1.5 points."""
    told = ngettext("%(n)s point", "%(n)s points", 1 if value == 1 else 2)
    return told % {"n": points(value)}


def clean_name(name: str, most: int = LONGEST, field: str = "name") -> str:
    """Return the name in its clean form; raise `Refusal` on `field` if it has none."""
    try:
        return names.clean_name(name, most)
    except NameProblem as problem:
        raise Refusal(filled(problem), code="name", field=field) from problem


def refuse_unfit(name: str) -> None:
    """Raise a `NameProblem` for an address in a clean name, and for a name of the house."""
    names.refuse_address(name)
    if words.is_house(name):
        raise names.HouseName(name=name)


def new_name(
    name: str, known: Container[str] = (), *, most: int = LONGEST, field: str = "name"
) -> str:
    """Return the clean name; Refusal on `field` also if it is unfit and not `known`."""
    clean = clean_name(name, most, field)
    try:
        refuse_unfit(clean)
    except NameProblem as problem:
        if clean not in known:
            raise Refusal(filled(problem), code="name", field=field) from problem
    return clean


def new_title(name: str, known: Container[str] = ()) -> str:
    """Return the clean name of a club, a season, an event or a schedule, as `new_name` does."""
    return new_name(name, known, most=LONGEST_TITLE)


def new_venue(text: str, known: Container[str] = ()) -> str:
    """Return the clean venue of a night, "" for blanks, as `new_name` does; Refusal on `venue`."""
    return new_name(text, known, most=LONGEST_TITLE, field="venue") if text.strip() else ""


def clean_title(name: str) -> str:
    """Return the clean name of a team or of house rules."""
    return clean_name(name, LONGEST_TITLE)


def at_line(problem: LineSentence) -> str:
    """Return the problem in a line of a list or a file, in the active language."""
    return _("Line %(line)s: %(problem)s") % {"line": problem.line, "problem": filled(problem)}


def refused(sentence: Sentence, *, field: str = "") -> Refusal:
    """Return a refusal with this sentence, its parameters not yet filled in."""
    return Refusal(_(sentence.template), params=dict(sentence.params), field=field)


def template_of(error: ValidationError) -> tuple[str, dict[str, Any]]:
    """Return the first message of a refusal and its parameters, for storing.

    A refusal raised in English has its template as its message.
    """
    errors = next(iter(error.error_dict.values())) if hasattr(error, "error_dict") else [error]
    first = errors[0].error_list[0]
    params = first.params or {}
    return str(first.message), {
        name: value if isinstance(value, int) else str(value) for name, value in params.items()
    }


def stored(template: str, params: object) -> str:
    """Return a stored sentence in the active language; placeholders without a value stay.

    Both may come from a handwritten archive, so placeholders are replaced without formatting.
    """
    text = _(template) if template else ""
    for name, value in params.items() if isinstance(params, dict) else ():
        text = text.replace(f"%({name})s", str(value))
    return text
