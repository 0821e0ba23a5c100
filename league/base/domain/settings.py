"""Settings of a night or of a season's scoring: one row says all that is known of one.

The row is the field of a frozen dataclass. The form, the API's schema, the check of a value and the
words of the log are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Literal

_KEY = "setting"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a reader is told of a setting, and which values it takes.

    `label`, `help` and the values of `choices` are message ids. A whole number or an amount lies
    between `least` and `most`; forms and the API take no more than `most_typed`. With `may_lack` a
    value may be None, and a form may leave it out. `of` names the group of settings in which a form
    shows it. An exact number is a fraction. A choice takes all of `takes`, which may be more than
    the `choices` that are offered.
    """

    kind: Literal["whole", "money", "exact", "tick", "name", "choice"]
    label: str
    help: str = ""
    of: str = ""
    least: int = 0
    most: int = 0
    most_typed: int = 0
    may_lack: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    takes: tuple[str, ...] = ()


def whole(
    default: int | None,
    label: str,
    *,
    least: int,
    most: int,
    most_typed: int | None = None,
    help: str = "",
    of: str = "",
) -> Any:
    """Return the field of a whole number; without a default it may be None."""
    typed = most_typed or most
    return _row(default, Setting("whole", label, help, of, least, most, typed, default is None))


def money(default: int, label: str, *, most: int, help: str = "", of: str = "") -> Any:
    """Return the field of an amount in the club's unit; a form that leaves it out means 0."""
    return _row(default, Setting("money", label, help, of, most=most, most_typed=most))


def exact(default: int, label: str, *, help: str = "", of: str = "", may_lack: bool = False) -> Any:
    """Return the field of an exact number; with `may_lack`, a form that leaves it out means 0."""
    return _row(Fraction(default), Setting("exact", label, help, of, may_lack=may_lack))


def tick(default: bool, label: str, *, help: str = "", of: str = "") -> Any:
    """Return the field of something that is on or off."""
    return _row(default, Setting("tick", label, help, of))


def name(label: str, *, most: int, help: str = "", of: str = "") -> Any:
    """Return the field of a name of up to `most` letters; empty: none."""
    return _row("", Setting("name", label, help, of, most=most))


def choice(
    default: str | None,
    label: str,
    choices: Mapping[str, str],
    *,
    takes: tuple[str, ...] = (),
    help: str = "",
    of: str = "",
) -> Any:
    """Return the field of one of the choices; without a default it may be None."""
    takes, lacks = takes or tuple(choices), default is None
    row = Setting("choice", label, help, of, may_lack=lacks, choices=choices, takes=takes)
    return _row(default, row)


def _row(default: Any, setting: Setting) -> Any:
    return field(default=default, metadata={_KEY: setting})


def settings_of(made: Any) -> dict[str, Setting]:
    """Return the settings of a dataclass, or of a value of one, by name in their order."""
    return {one.name: one.metadata[_KEY] for one in fields(made) if _KEY in one.metadata}
