"""The undo button of a message; `base.views.undo` creates such messages."""

from dataclasses import dataclass
from urllib.parse import parse_qsl

from django import template
from django.contrib.messages.storage.base import Message

from league.base.views.undo import LABEL, MARK

register = template.Library()


@dataclass(frozen=True)
class Undo:
    """The URL and the fields of the POST that undoes an action; `label` "" for "Undo"."""

    url: str
    fields: list[tuple[str, str]]
    label: str


@register.filter
def undo(message: Message) -> Undo | None:
    """Return the undo action of a message, None without one."""
    if not message.extra_tags or not message.extra_tags.startswith(MARK):
        return None
    url, _mark, query = message.extra_tags.removeprefix(MARK).partition("?")
    sent = parse_qsl(query)
    label = next((value for key, value in sent if key == LABEL), "")
    return Undo(url, [one for one in sent if one[0] != LABEL], label)
