"""Cards in templates: each is drawn once, as pages of tables have a hundred of them."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tables.selectors.moves import Move

register = template.Library()


@register.simple_tag
def card(text: str, size: str = "") -> SafeString:
    """A card such as "TD" (components/card.html)."""
    return _drawn("components/card.html", text, size, get_language(), static("cards.svg"))


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
def _drawn(name: str, text: str, size: str, _language: str | None, _suits: str) -> SafeString:
    html = render_to_string(name, {"card": text, "size": size})
    return mark_safe(" ".join(html.split()))
