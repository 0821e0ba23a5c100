"""Checks for the fields of a ruleset: each takes a JSON value and returns the frozen one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, field
from typing import Any

from engine.texts import InputError
from engine.texts import mark as _

Check = Callable[[object], Any]


class Wrong(InputError):
    """A value does not fit its field; the text says what to write instead."""


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, (str, int, float, bool, type(None))) else "a list"
    return text if len(text) <= 40 else text[:37] + "..."


def text(most: int, *, key: bool = False) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= most or not value.isprintable():
            raise Wrong(
                _("write a text of 1 to %(most)s characters, not %(value)s"),
                most=most,
                value=_shown(value),
            )
        if key and not all(c.isascii() and (c.isalnum() or c in "-_") for c in value):
            raise Wrong(_("use letters, digits, - and _ only, not %(value)s"), value=_shown(value))
        return value

    return check


def flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Wrong(_("write true or false, not %(value)s"), value=_shown(value))
    return value


def whole(least: int, most: int) -> Check:
    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise Wrong(
                _("write a whole number from %(least)s to %(most)s, not %(value)s"),
                least=least,
                most=most,
                value=_shown(value),
            )
        return value

    return check


def one_of(*names: str) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in names:
            raise Wrong(
                _("choose one of %(names)s, not %(value)s"),
                names=", ".join(names),
                value=_shown(value),
            )
        return value

    return check


def list_of(names: Iterable[str], *, any_order: bool = False) -> Check:
    """Return a check for a list of names; `any_order` sorts it as `names` are."""
    known = tuple(names)

    def check(value: object) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            raise Wrong(_("write a list with any of %(names)s"), names=", ".join(known))
        for item in value:
            if not isinstance(item, str) or item not in known:
                raise _unknown(item, known)
        if len(set(value)) < len(value):
            raise Wrong(_("name each entry once"))
        return tuple(sorted(value, key=known.index)) if any_order else tuple(value)

    return check


def mapping(keys: Iterable[str], check_value: Check) -> Check:
    """Return a check for an object; its frozen form is a tuple of pairs in the order of keys."""
    known = tuple(keys)

    def check(value: object) -> tuple[tuple[str, Any], ...]:
        pairs = dict(value) if isinstance(value, (dict, tuple)) else None
        if pairs is None:
            raise Wrong(_("write an object with any of %(names)s"), names=", ".join(known))
        for key in pairs:
            if key not in known:
                raise _unknown(key, known)
        try:
            return tuple((key, check_value(pairs[key])) for key in known if key in pairs)
        except Wrong as wrong:
            key = next(k for k in known if k in pairs and _fails(check_value, pairs[k]))
            raise Wrong.of(wrong, key) from None

    return check


def _unknown(value: object, known: tuple[str, ...]) -> Wrong:
    return Wrong(
        _("%(value)s is not known: choose from %(names)s"),
        value=_shown(value),
        names=", ".join(known),
    )


def _fails(check: Check, value: object) -> bool:
    try:
        check(value)
    except Wrong:
        return True
    return False


def rule(check: Check, default: Any = MISSING) -> Any:
    """Return a dataclass field that carries its check."""
    if default is MISSING:
        return field(metadata={"check": check})
    return field(default=default, metadata={"check": check})
