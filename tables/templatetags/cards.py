"""Cards in templates: each is drawn once, as pages of tables have a hundred of them."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tables.selectors.moves import Move

register = template.Library()
SUITS = "cards.svg"


@register.simple_tag
def card(text: str, size: str = "") -> SafeString:
    """A card such as "TD" (components/card.html)."""
    return _drawn("components/card.html", text, size, get_language(), static(SUITS))


@register.simple_tag
def hand_card(text: str, name: str, size: str, picked: Container[str]) -> SafeString:
    """A card of a hand, to be picked where it has a name (components/hand-card.html)."""
    more = (name, text in picked)
    return _drawn("components/hand-card.html", text, size, get_language(), static(SUITS), *more)


@register.simple_tag
def card_word(text: str) -> SafeString:
    """A card as two letters in a sentence (tables/card-word.html)."""
    return _drawn("tables/card-word.html", text, "", get_language(), "")


@register.simple_tag
def card_backs(count: int) -> SafeString:
    """The backs of so many cards, thirteen at most."""
    return mark_safe("<i></i>" * min(count, 13))


@register.simple_tag
def trick_words(trick: list[Move]) -> SafeString:
    """A trick as a line of the history (tables/trick-words.html)."""
    return _told(tuple(trick), get_language())


@lru_cache(5000)
def _told(trick: tuple[Move, ...], _language: str | None) -> SafeString:
    return mark_safe(render_to_string("tables/trick-words.html", {"trick": trick}))


@lru_cache(1000)
def _drawn(
    file: str,
    text: str,
    size: str,
    _language: str | None,
    _suits: str,
    name: str = "",
    picked: bool = False,
) -> SafeString:
    context = {"card": text, "size": size, "name": name, "picked": picked}
    html = render_to_string(file, context)
    return mark_safe(" ".join(html.split()))
