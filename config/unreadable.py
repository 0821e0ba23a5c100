"""Refuses what no database keeps before any page sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

NULL = "\0"


class RefuseNull(MiddlewareMixin):
    """400 for a null character in a query or a form: no person types one, PostgreSQL takes none.

    Views that need no CSRF token read what they are sent themselves.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> None:
        if NULL in unquote(request.META.get("QUERY_STRING", "")):
            raise BadRequest("null character in the query")
        if request.method == "POST" and not getattr(view, "csrf_exempt", False):
            for name, values in request.POST.lists():
                if NULL in name or any(NULL in value for value in values):
                    raise BadRequest("null character in the form")
