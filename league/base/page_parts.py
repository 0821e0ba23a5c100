"""Parts of pages as plain values, which templates only arrange."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Remark:
    """A highlighted sentence; `tone` is "", "info", "success", "warning" or "error"."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Badge:
    """A coloured badge of a word or two; `tone` is "", "open", "live", "done", "gold" or "red"."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Button:
    """An action: a link, or if it `posts`, a button that sends `value` as `name`.

    `tone` is "", "primary", "quiet" or "danger". `about` is the object of the action for screen
    readers, as several buttons may have the same text. `hidden` holds hidden form fields.
    """

    text: str
    address: str
    tone: str = ""
    posts: bool = False
    name: str = ""
    value: str = ""
    icon: str = ""
    about: str = ""
    hidden: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Tab:
    """A tab; `is_here` marks the current page, `count` says how many things it holds."""

    text: str
    address: str
    is_here: bool = False
    count: int | None = None
    icon: str = ""


@dataclass(frozen=True)
class MenuRow:
    """A page that is needed now and then: its icon, name and address, and what it is for.

    A row that `posts` is an act that sends its `hidden` fields; `ends` marks those of the end. One
    without an address opens the `rows` behind it, which are `seldom` needed.
    """

    icon: str
    text: str
    address: str
    note: str = ""
    posts: bool = False
    hidden: tuple[tuple[str, str], ...] = ()
    ends: bool = False
    seldom: bool = False
    rows: Sequence["MenuRow"] = ()
