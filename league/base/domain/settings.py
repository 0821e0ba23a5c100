"""Settings of a night or of a season's scoring: one row says all that is known of one.

The row is the field of a frozen dataclass. The form, the API's schema, the check of a value and the
words of the log are made from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Literal

_KEY = "setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a reader is told of a setting, and which values it takes.

    `label`, `help` and the values of `choices` are message ids. A whole number or an amount lies
    between `least` and `most`; forms and the API take no more than `most_typed`, if that is set. A
    name has up to `most` letters. With `may_lack` a value may be None, and a form may leave it out.
    `of` names the group of settings in which a form shows it, unless it stands `alone`. A choice
    takes all of `takes`, if that is set, which may be more than the `choices` that are offered.
    """

    kind: Literal["whole", "money", "exact", "tick", "name", "choice"]
    label: str
    help: str = ""
    of: str = ""
    alone: bool = False
    least: int = 0
    most: int = 0
    most_typed: int = 0
    may_lack: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[str, ...] = ()


def whole(default: int | None, label: str, *, least: int, most: int, **more: Any) -> Any:
    """Return the field of a whole number; without a default it may be None."""
    return _row(default, "whole", label, least=least, most=most, **more)


def money(default: int, label: str, *, most: int, **more: Any) -> Any:
    """Return the field of an amount in the club's unit; a form that leaves it out means 0."""
    return _row(default, "money", label, most=most, **more)


def exact(default: int, label: str, **more: Any) -> Any:
    """Return the field of a fraction; with `may_lack`, a form that leaves it out means 0."""
    return _row(Fraction(default), "exact", label, **more)


def tick(default: bool, label: str, **more: Any) -> Any:
    """Return the field of something that is on or off."""
    return _row(default, "tick", label, **more)


def name(label: str, *, most: int, **more: Any) -> Any:
    """Return the field of a name; empty: none."""
    return _row("", "name", label, most=most, **more)


def choice(default: str | None, label: str, choices: Mapping[str, str], **more: Any) -> Any:
    """Return the field of one of the choices; without a default it may be None."""
    return _row(default, "choice", label, choices=choices, **more)


def _row(default: Any, kind: Any, label: str, **more: Any) -> Any:
    lacking = {"may_lack": True} if default is None else {}
    return field(
        default=default, metadata={_KEY: Setting(kind=kind, label=label, **more | lacking)}
    )


def settings_of(made: Any) -> dict[str, Setting]:
    """Return the settings of a dataclass, or of a value of one, by name in their order."""
    return {one.name: one.metadata[_KEY] for one in fields(made) if _KEY in one.metadata}
