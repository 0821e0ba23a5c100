"""Cards in templates, cached because a table's page has about a hundred of them."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tables.base import card_text
from tables.play.pages.moves import Move

register = template.Library()
SUITS = "cards.svg"


@register.simple_tag
def card(text: str, size: str = "") -> SafeString:
    """Return a card's HTML for a code such as "TD" (components/card.html)."""
    return _drawn("components/card.html", text, size, get_language(), static(SUITS))


@register.simple_tag
def hand_card(text: str, name: str, size: str, picked: Container[str]) -> SafeString:
    """Return a hand's card, selectable if it has a name (components/hand-card.html)."""
    more = (name, text in picked)
    return _drawn("components/hand-card.html", text, size, get_language(), static(SUITS), *more)


@register.simple_tag
def card_word(text: str) -> SafeString:
    """Return a card as HTML for a sentence."""
    return format_html('<span class="word-{}">{}</span>', text[1], card_text.written(text))


@register.simple_tag
def suit_names() -> str:
    """Return the names of the suits for scripts, separated by `|`."""
    return "|".join(str(name) for name in card_text.SUIT_NAMES.values())


@register.filter
def card_name(text: str) -> str:
    """Return a card's spoken name."""
    return card_text.named(text)


@register.filter
def card_rank(text: str) -> str:
    """Return a card's rank as printed."""
    return card_text.rank(text[0])


@register.simple_tag
def card_backs(count: int) -> SafeString:
    """Return the backs of `count` cards, thirteen at most."""
    return mark_safe("<i></i>" * min(count, 13))


@register.simple_tag
def signed(amount: int) -> str:
    """Return an amount won or lost, with its sign."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount < 0 else "0"


@register.simple_tag
def trick_words(trick: list[Move]) -> SafeString:
    """Return a trick as a line of the history (tables/trick-words.html)."""
    return _in_words(tuple(trick), get_language())


@lru_cache(5000)
def _in_words(trick: tuple[Move, ...], _language: str | None) -> SafeString:
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
