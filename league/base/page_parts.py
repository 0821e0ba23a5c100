"""What a page says and offers, as plain values: templates only arrange them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Remark:
    """A sentence set apart; `tone` is "", "info", "success", "warning" or "error"."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Badge:
    """A word or two in a coloured mark; `tone` is "", "open", "live", "done", "gold" or "red"."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class Button:
    """Something to do: a link, or where it `posts` a button that sends `value` as `name`.

    `tone` is "", "primary", "quiet" or "danger"; `about` names what is meant to those who do not
    see the page, where several buttons say the same; `hidden` is sent along.
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
    """One of the pages of a thing; `is_here` is the one being read."""

    text: str
    address: str
    is_here: bool = False
