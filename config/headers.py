"""Response headers: the release, the browser features a page may use, who may embed it, caching."""

import hashlib

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from accounts.middleware import GetResponse, middleware

SECRETS = {"secret", "invitation", "check_in", "sign_up", "token", "key", "uidb36"}
"""URL parameters of secret addresses, or of a person's own pages."""
NEVER_PAGES = ("text/css", "text/javascript", "font/")
PAGES_ALONE = ("Permissions-Policy", "Cross-Origin-Opener-Policy")
"""Headers that browsers obey on documents alone: 200 bytes with each of a page's twenty files."""


@middleware
def common_headers(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Set `COMMON_HEADERS` on every response."""
    response = get_response(request)
    add_common(response)
    return response


def add_common(response: HttpResponseBase) -> None:
    """Set `COMMON_HEADERS`, except those that the response has or has no use for."""
    for name, value in settings.COMMON_HEADERS.items():
        response.headers.setdefault(name, value)
    if response.headers.get("Content-Type", "").startswith(NEVER_PAGES):
        for name in PAGES_ALONE:
            response.headers.pop(name, None)


def release_mark(request: HttpRequest) -> dict[str, str]:
    """Return the release's mark for templates: pages send it with what they ask for."""
    return {"release": settings.RELEASE}


@middleware
def private_pages(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Forbid caching of private pages, unless their view allows it.

    Say what a page may load and who may frame it too, unless its view has.
    """
    response = get_response(request)
    response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
    if not response.has_header("Cache-Control") and _is_private(request, response):
        response.headers["Cache-Control"] = "private, no-store"
    if phone := _phone_of(request):
        response.headers["Tien-Len-Phone"] = phone
    if request.path.startswith("/clubs/~"):  # Links that people share, and nobody may find.
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _phone_of(request: HttpRequest) -> str:
    """Return who the phone is to this site, as a digest: what it keeps goes when that changes."""
    known = [request.COOKIES.get(name, "") for name in (settings.SESSION_COOKIE_NAME, "phone")]
    return hashlib.sha256(" ".join(known).encode()).hexdigest()[:12] if any(known) else ""


def _is_private(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the response is for a known user, or its address is a secret."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    becomes_known = settings.SESSION_COOKIE_NAME in response.cookies
    match = request.resolver_match
    return known or becomes_known or bool(match and SECRETS & match.kwargs.keys())
