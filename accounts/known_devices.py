"""Known browsers: wrong passwords from elsewhere do not lock their users out.

A signed cookie names the browser and the last accounts that signed in from it. It signs
nobody in; it only gives the browser a separate limit for wrong passwords.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

from accounts.models import User

COOKIE = "known-device"
_MAX_AGE = 365 * 24 * 3600
_MOST = 10
"""Most accounts that a browser is known for: a club's tablet has several."""


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Add the account to the cookie of the request's browser."""
    device, keys = _read(request)
    others = [key for key in keys if key != user.pk]
    response.set_cookie(
        COOKIE,
        signing.dumps(
            [device or secrets.token_urlsafe(12), [user.pk, *others][:_MOST]], salt=COOKIE
        ),
        max_age=_MAX_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_device(request: HttpRequest, email: str) -> str:
    """Return the browser's name if the account has signed in from it, else ""."""
    device, keys = _read(request)
    if keys and User.objects.filter(pk__in=keys, email__iexact=email).exists():
        return device
    return ""


def _read(request: HttpRequest) -> tuple[str, list[int]]:
    try:
        device, keys = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=_MAX_AGE)
    except signing.BadSignature:
        return "", []
    return str(device), [int(key) for key in keys]
