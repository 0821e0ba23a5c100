"""Exact numbers: points are `fractions.Fraction`, in JSON text such as `3/2`.

Not decimals, because a place shared by three players or a table of seven gives thirds and sixths,
which no decimal holds exactly.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from engine.rules.texts import mark as _
from league.base.domain.amounts import both_readings
from league.base.domain.settings import Setting, settings_of

from .errors import FieldError

_NUMBER = re.compile(r"[+-]?\d{1,60}(?:[.,]\d{1,6}|/\d{1,7})?", re.ASCII)
"""As people write a number, and as it is stored: 0.000001 is 1/1000000."""
LARGEST = Fraction(1_000_000_000)


def read_exact(value: Any, field: str) -> Fraction:
    """Return the exact number of a JSON number, or of text like `2`, `-1.5`, `-1,5` or `3/2`.

    Raises `FieldError` for text with two readings, and for anything else: NaN, infinities,
    booleans, other text, numbers beyond `LARGEST`, and those whose text would not be read again.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise FieldError(field, _("must be a number such as 2, -1.5 or 3/2."))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise FieldError(field, _("must be a number, not %(value)s."), value=value)
        # A person who writes 0.1 means one tenth, not the nearest binary number.
        number = Fraction(repr(value))
    elif isinstance(value, str):
        text = value.strip()
        if problem := both_readings(text):
            raise FieldError(field, problem.template, **problem.params)
        if not _NUMBER.fullmatch(text) or re.search(r"/0+$", text):
            raise _no_number(field, text)
        number = Fraction(text.replace(",", "."))
    else:
        number = Fraction(value)
    if abs(number) > LARGEST:
        raise FieldError(field, _("is too large: at most %(largest)s."), largest=LARGEST)
    if not _NUMBER.fullmatch(str(number)):
        raise _no_number(field, str(value))
    return number


def _no_number(field: str, text: str) -> FieldError:
    template = _("must be a number such as 2, -1.5 or 3/2, not “%(text)s”.")
    return FieldError(field, template, text=text[:40])


def typed(number: Fraction) -> str:
    """Return the number as `read_exact` reads it: 1.5 where two decimals hold it, else 1/3."""
    hundred = number * 100
    return format(float(number), ".15g") if hundred.denominator == 1 else str(number)


def read_whole(value: Any, field: str, *, at_least: int, at_most: int) -> int:
    """Return the integer of a JSON value within both bounds; raises `FieldError`."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip(), re.ASCII):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError(field, _("must be a whole number."))
    if not at_least <= value <= at_most:
        raise FieldError(
            field, _("must be from %(least)s to %(most)s."), least=at_least, most=at_most
        )
    return value


def read_settings(made: Any) -> None:
    """Put the settings of a frozen dataclass into their own types; raises `FieldError`."""
    for name, setting in settings_of(made).items():
        value = getattr(made, name)
        if value is not None or not setting.may_lack:
            object.__setattr__(made, name, _read(value, name, setting))


def _read(value: Any, name: str, setting: Setting) -> Any:
    most = setting.most
    if setting.kind == "exact":
        return read_exact(value, name)
    if setting.kind in ("whole", "money"):
        return read_whole(value, name, at_least=setting.least, at_most=most)
    if setting.kind == "tick" and not isinstance(value, bool):
        raise FieldError(name, _("must be true or false."))
    if setting.kind == "name" and (not isinstance(value, str) or len(value) > most):
        raise FieldError(name, _("must be a name of up to %(most)s letters."), most=most)
    takes = setting.takes or tuple(setting.choices)
    if setting.kind == "choice" and value not in takes:
        raise FieldError(name, _("must be one of: %(names)s."), names=", ".join(takes))
    return value


def read_object(made: Any, value: Any, name: str, unknown: str) -> dict[str, Any]:
    """Return the fields of a dataclass that a JSON object holds, by their names.

    Raises `FieldError`: at `name` for what is no object, with the sentence `unknown` at a field
    that the dataclass lacks.
    """
    if not isinstance(value, Mapping):
        raise FieldError(name, _("must be an object with named fields."))
    known = {one.name for one in fields(made)}
    for given in value:
        if given not in known:
            raise FieldError(str(given)[:40], unknown)
    return dict(value)
