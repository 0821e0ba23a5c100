"""Checks for the fields of a ruleset: each takes a JSON value and returns the frozen one."""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, field
from typing import Any

from .texts import InputError
from .texts import mark as _

Check = Callable[[object], Any]


class InvalidValueError(InputError):
    """A value that does not fit its field; the text says what to write instead."""


def _shown(value: object) -> str:
    text = repr(value) if isinstance(value, (str, int, float, bool, type(None))) else "a list"
    return text if len(text) <= 40 else text[:37] + "..."


def text(most: int, *, least: int = 1, key: bool = False) -> Check:
    def check(value: object) -> str:
        fits = isinstance(value, str) and least <= len(value) <= most
        if not isinstance(value, str) or not fits or not value.isprintable():
            raise InvalidValueError(
                _("must be text of %(least)s to %(most)s characters, not %(value)s"),
                least=least,
                most=most,
                value=_shown(value),
            )
        if key and not all(c.isascii() and (c.isalnum() or c in "-_") for c in value):
            raise InvalidValueError(
                _("use only letters, digits, - and _, not %(value)s"), value=_shown(value)
            )
        return value

    return check


def flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise InvalidValueError(_("must be true or false, not %(value)s"), value=_shown(value))
    return value


def whole(least: int, most: int) -> Check:
    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise InvalidValueError(
                _("must be a whole number from %(least)s to %(most)s, not %(value)s"),
                least=least,
                most=most,
                value=_shown(value),
            )
        return value

    return check


@dataclass(frozen=True)
class OneOf:
    """A check for one of some names."""

    names: tuple[str, ...]

    def __call__(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.names:
            raise InvalidValueError(
                _("must be one of %(names)s, not %(value)s"),
                names=", ".join(self.names),
                value=_shown(value),
            )
        return value


def one_of(*names: str) -> OneOf:
    return OneOf(names)


@dataclass(frozen=True)
class ListOf:
    """A check for a list of some names; `any_order` sorts it in their order."""

    names: tuple[str, ...]
    any_order: bool = False

    def __call__(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            raise InvalidValueError(
                _("must be a list; allowed items are %(names)s"), names=", ".join(self.names)
            )
        for item in value:
            if not isinstance(item, str) or item not in self.names:
                raise _unknown(item, self.names)
        if len(set(value)) < len(value):
            raise InvalidValueError(_("list each item only once"))
        return tuple(sorted(value, key=self.names.index)) if self.any_order else tuple(value)


def list_of(names: Iterable[str], *, any_order: bool = False) -> ListOf:
    return ListOf(tuple(names), any_order)


def mapping(keys: Iterable[str], check_value: Check) -> Check:
    """Return a check for an object; its frozen form is a tuple of pairs in the order of keys."""
    known = tuple(keys)

    def check(value: object) -> tuple[tuple[str, Any], ...]:
        pairs = dict(value) if isinstance(value, (dict, tuple)) else None
        if pairs is None:
            raise InvalidValueError(
                _("must be an object; allowed fields are %(names)s"), names=", ".join(known)
            )
        for key in pairs:
            if key not in known:
                raise _unknown(key, known)
        try:
            return tuple((key, check_value(pairs[key])) for key in known if key in pairs)
        except InvalidValueError as wrong:
            key = next(k for k in known if k in pairs and _fails(check_value, pairs[k]))
            raise InvalidValueError.of(wrong, key) from None

    return check


def _unknown(value: object, known: tuple[str, ...]) -> InvalidValueError:
    return InvalidValueError(
        _("%(value)s is not known; choose from %(names)s"),
        value=_shown(value),
        names=", ".join(known),
    )


def _fails(check: Check, value: object) -> bool:
    try:
        check(value)
    except InvalidValueError:
        return True
    return False


def rule(check: Check, default: Any = MISSING, *, later: bool = False) -> Any:
    """Return a dataclass field that carries its check.

    `later` marks a field that was added in a later version. The digest leaves it out while it has
    its default, so rulesets frozen before keep their digest.
    """
    metadata = {"check": check, "later": later}
    if default is MISSING:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)
