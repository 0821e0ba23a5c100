"""Phrases with placeholders that are filled after translation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from engine.rules.texts import mark as _

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Words:
    """An English template and the values of its placeholders, which may be `Words` themselves."""

    template: str
    params: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of items; `last` joins the last two, `joint` the others."""

    items: tuple[Value, ...]
    joint: str
    last: str


Value = int | str | Words | Listing

_OR = _("%(before)s or %(last)s")
_COMMA = _("%(before)s, %(last)s")
_SEMICOLON = _("%(before)s; %(last)s")


def words(template: str, **params: Value) -> Words:
    """Return the phrase with the values of its placeholders."""
    return Words(template, params)


def each(*templates: str) -> Iterator[Words]:
    """Yield sentences without placeholders."""
    return map(words, templates)


def any_of(items: list[Value]) -> Listing:
    """Return the items joined by commas and "or"."""
    return Listing(tuple(items), _COMMA, _OR)


def row_of(items: list[Value]) -> Listing:
    """Return the items joined by semicolons, because some contain commas."""
    return Listing(tuple(items), _SEMICOLON, _SEMICOLON)


def say(value: Value, translate: Translate = str) -> str:
    """Return the value as text; every template in it is translated before it is filled.

    >>> say(words("On %(what)s: %(with)s.", what="2", **{"with": any_of(["a", "b", "c"])}))
    'On 2: a, b or c.'
    """
    if isinstance(value, Listing):
        return _say_listing(value, translate)
    if isinstance(value, Words):
        text = translate(value.template)
        filled = {name: say(param, translate) for name, param in value.params.items()}
        return text % filled if filled else text
    return str(value)


def _say_listing(listing: Listing, translate: Translate) -> str:
    texts = [say(item, translate) for item in listing.items]
    if not texts:
        return ""
    said = texts[0]
    for number, text in enumerate(texts[1:], start=2):
        joint = listing.last if number == len(texts) else listing.joint
        said = translate(joint) % {"before": said, "last": text}
    return said
