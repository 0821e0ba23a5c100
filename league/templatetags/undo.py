"""The undo button of a message; `base.views.undo` creates such messages."""

from dataclasses import dataclass
from urllib.parse import parse_qsl

from django import template
from django.contrib.messages.storage.base import Message

from league.base.views.undo import MARK

register = template.Library()


@dataclass(frozen=True)
class Undo:
    """The URL and the fields of the POST that undoes an action."""

    url: str
    fields: list[tuple[str, str]]


@register.filter
def undo(message: Message) -> Undo | None:
    """Return the undo action of a message, None without one."""
    if not message.extra_tags or not message.extra_tags.startswith(MARK):
        return None
    url, _mark, query = message.extra_tags.removeprefix(MARK).partition("?")
    return Undo(url, parse_qsl(query))
