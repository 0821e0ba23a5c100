"""Pages for what cannot be shown; they need no database, so that they work when it is down.

A program that asks the API gets the same as JSON.
"""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

API = "/api/v1/"
SAID = {
    400: "This cannot be read.",
    403: "You may not do this.",
    404: "There is nothing here.",
    500: "Something broke here. It is noted; try again later.",
    503: "The database cannot save now. Nothing of this was saved; send it again in a minute.",
}


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """503 where the database is away or its disk full: sending it again later may work."""
    if not isinstance(sys.exc_info()[1], InterfaceError | OperationalError):
        return _page(request, 500)
    answer = _page(request, 503)
    answer["Retry-After"] = "10"
    return answer


def _page(request: HttpRequest, status: int) -> HttpResponse:
    if request.path.startswith(API):
        return JsonResponse({"detail": SAID[status]}, status=status)
    return render(request, f"errors/{status}.html", status=status)
