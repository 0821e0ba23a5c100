"""Response headers: the browser features a page may use, who may embed it, and caching."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

SECRETS = {"secret", "invitation", "check_in", "sign_up", "token", "key", "uidb36"}
"""URL parameters of secret addresses, or of a person's own pages."""


def protecting_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that sets `PROTECTING_HEADERS` on every response."""

    def handle(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in settings.PROTECTING_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return handle


def private_pages(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return middleware that forbids caching of private pages, unless their view allows it.

    It also says what a page may load and who may frame it, unless its view has.
    """

    def handle(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        if not response.has_header("Cache-Control") and _is_private(request, response):
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return handle


def _is_private(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the response is for a known user, or its address is a secret."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    becomes_known = settings.SESSION_COOKIE_NAME in response.cookies
    match = request.resolver_match
    return known or becomes_known or bool(match and SECRETS & match.kwargs.keys())
