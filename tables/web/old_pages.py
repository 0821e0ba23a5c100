"""Open pages of a release without a mark: what this one draws is no news to them."""

import random
import zlib

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from launcher import release

RENEWED_SECONDS = 3600
"""How long a page counts as renewed: a proxy that drops our header renews it without end."""
ASKED = "asked"
ONE_IN = 3
"""An old page asks every few seconds; 500 phones are not renewed at one moment."""

NEWEST = 1_000_000_000
"""The version of the board that renews a page: above any, it tells nobody how a game goes."""


def is_marked(request: HttpRequest) -> bool:
    """Return whether the page that asks knows of releases."""
    return release.HEADER in request.headers


def is_old(request: HttpRequest, page: str) -> bool:
    """Return whether the page at this path, which asks, is to be renewed."""
    return not is_marked(request) and request.COOKIES.get(cookie_of(page)) != settings.RELEASE


def has_asked(request: HttpRequest, page: str) -> bool:
    """Return whether the page at this path asked before: what it keeps to send comes first."""
    return request.COOKIES.get(cookie_of(page)) == ASKED


def cookie_of(page: str) -> str:
    """Return the name of the page's cookie: a browser sends one for all paths below its own."""
    return f"renewed-{zlib.crc32(page.encode()):08x}"


def is_next() -> bool:
    """Return whether this page is renewed now; the others are told nothing."""
    return not random.randrange(ONE_IN)


def note_renewed(response: HttpResponse, page: str, value: str = settings.RELEASE) -> None:
    """Remember in this browser that the page at this path is renewed, or has `ASKED`."""
    response.set_cookie(cookie_of(page), value, RENEWED_SECONDS, path=page, samesite="Lax")
