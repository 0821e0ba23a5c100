"""Knowing a phone again, without an account and for a year: a signed cookie with a random name."""

from __future__ import annotations

import hashlib
import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE, SALT = "phone", "league.phone"
YEAR = 365 * 24 * 3600


def phone_of(request: HttpRequest) -> str:
    """Return the hash by which the database knows this phone; "" for one never seen."""
    name = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR)
    return _hash(name) if name else ""


def named(request: HttpRequest) -> tuple[str, str]:
    """Return this phone's random name, a new one where it has none, and its hash."""
    name = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR)
    name = name or secrets.token_hex(16)
    return name, _hash(name)


def remember(response: HttpResponse, name: str) -> None:
    """Give the phone its name for another year."""
    response.set_signed_cookie(
        COOKIE,
        name,
        salt=SALT,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
