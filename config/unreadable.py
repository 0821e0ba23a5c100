"""Middleware against text that the database cannot store or that is expensive to process."""

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from league.base.domain.marks import has_heap_of_marks

NULL = "\0"


class RefuseUnreadable(MiddlewareMixin):
    """Middleware that answers 400 to null characters and heaps of accents in a query or a form.

    PostgreSQL stores no null character, and sorting a million accents takes half an hour. Forms of
    CSRF-exempt views are not checked: those views read the body themselves.
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
