"""Undo instead of "are you sure": the message after an action has a button to undo it."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest

MARK = "undo:"
"""The prefix of the tags of a message with an undo button."""


def tell_done(
    request: HttpRequest,
    text: str,
    url: str,
    fields: Iterable[tuple[str, object]],
) -> None:
    """Show `text` on the next page with a button that posts `fields` to `url`, if there are any."""
    sent = [*fields]
    messages.success(request, text, extra_tags=f"{MARK}{url}?{urlencode(sent)}" if sent else "")
