"""Refuses what no database keeps, and what is dear to read, before any page sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from league.base.domain.marks import has_heap_of_marks

NULL = "\0"


class RefuseUnreadable(MiddlewareMixin):
    """400 for a null character or a heap of accents in a query or a form: no person types one.

    PostgreSQL takes no null; putting a million accents in order takes half an hour. Views that
    need no CSRF token read what they are sent themselves.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> None:
        if _is_unreadable(unquote(request.META.get("QUERY_STRING", ""))):
            raise BadRequest("null character or heap of accents in the query")
        if request.method == "POST" and not getattr(view, "csrf_exempt", False):
            for name, values in request.POST.lists():
                if any(map(_is_unreadable, (name, *values))):
                    raise BadRequest("null character or heap of accents in the form")


def _is_unreadable(text: str) -> bool:
    return NULL in text or has_heap_of_marks(text)
