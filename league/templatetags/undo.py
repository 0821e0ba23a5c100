"""The button in a message that undoes what the message tells; `base.views.undo` offers it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from django import template
from django.contrib.messages.storage.base import Message

from league.base.views.undo import MARK

register = template.Library()


@dataclass(frozen=True)
class Undo:
    """Where to post what."""

    url: str
    fields: list[tuple[str, str]]


@register.filter
def undo(message: Message) -> Undo | None:
    """Return what takes the message's deed back, or None."""
    if not message.extra_tags or not message.extra_tags.startswith(MARK):
        return None
    url, _mark, query = message.extra_tags.removeprefix(MARK).partition("?")
    return Undo(url, parse_qsl(query))
