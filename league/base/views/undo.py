"""Undo instead of "are you sure": what was done says so, with a button that takes it back."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest

MARK = "undo:"
"""What begins the tags of a message that has a button to undo it."""


def tell_done(
    request: HttpRequest, text: str, url: str, fields: Iterable[tuple[str, object]]
) -> None:
    """Show `text` on the next page with a button that posts `fields` to `url`."""
    messages.success(request, text, extra_tags=f"{MARK}{url}?{urlencode(list(fields))}")
