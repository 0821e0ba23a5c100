"""Exact numbers: points are `fractions.Fraction`, in JSON text such as `3/2`.

Not decimals, because a place shared by three players or a table of seven gives thirds and sixths,
which no decimal holds exactly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from engine.rules.texts import mark as _
from league.base.domain.settings import Setting, settings_of

from .errors import FieldError

_NUMBER = re.compile(r"[+-]?\d{1,9}(?:[.,]\d{1,6}|/\d{1,6})?", re.ASCII)
LARGEST = Fraction(1_000_000_000)


def read_exact(value: Any, field: str) -> Fraction:
    """Return the exact number of a JSON number, or of text like `2`, `-1.5`, `-1,5` or `3/2`.

    Raises `FieldError` for anything else: NaN, infinities, booleans, other text, and numbers beyond
    `LARGEST`.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise FieldError(field, _("must be a number such as 2, -1.5 or 3/2."))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise FieldError(field, _("must be a number, not %(value)s."), value=value)
        # A person who writes 0.1 means one tenth, not the nearest binary number.
        value = Fraction(repr(value))
    if isinstance(value, str):
        value = _from_text(value.strip(), field)
    number = Fraction(value)
    if abs(number) > LARGEST:
        raise FieldError(field, _("is too large: at most %(largest)s."), largest=LARGEST)
    return number


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
        if value is None and setting.may_lack:
            continue
        object.__setattr__(made, name, _READERS[setting.kind](value, name, setting))


def _number(value: Any, name: str, setting: Setting) -> int:
    return read_whole(value, name, at_least=setting.least, at_most=setting.most)


def _on_or_off(value: Any, name: str, setting: Setting) -> bool:
    if not isinstance(value, bool):
        raise FieldError(name, _("must be true or false."))
    return value


def _short_name(value: Any, name: str, setting: Setting) -> str:
    if not isinstance(value, str) or len(value) > setting.most:
        raise FieldError(name, _("must be a name of up to %(most)s letters."), most=setting.most)
    return value


def _one_of(value: Any, name: str, setting: Setting) -> str:
    if value not in setting.takes:
        raise FieldError(name, _("must be one of: %(names)s."), names=", ".join(setting.takes))
    return str(value)


_READERS: dict[str, Callable[[Any, str, Setting], Any]] = {
    "whole": _number,
    "money": _number,
    "exact": lambda value, name, setting: read_exact(value, name),
    "tick": _on_or_off,
    "name": _short_name,
    "choice": _one_of,
}


def _from_text(text: str, field: str) -> Fraction:
    if not _NUMBER.fullmatch(text) or re.search(r"/0+$", text):
        raise FieldError(
            field,
            _("must be a number such as 2, -1.5 or 3/2, not “%(text)s”."),
            text=text[:40],
        )
    return Fraction(text.replace(",", "."))
