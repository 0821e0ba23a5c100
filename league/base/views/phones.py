"""Knowing a phone again, without an account and for a year: a signed cookie with a random name."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from league.base import rights
from league.base.rights import Right
from league.models import Club

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


def claim_with(
    request: HttpRequest, claim: Callable[..., object], answer: HttpResponse
) -> HttpResponse:
    """Return the answer, after which the visitor's phone is known as the claim's."""
    name, phone = named(request)
    claim(phone=phone)
    remember(answer, name)
    return answer


def is_shared(request: HttpRequest, club: Club) -> bool:
    """Return True for a tablet at the door, and for who enters games for others anyhow."""
    right = rights.highest(request.user, club) or Right.SEE
    return "door" in request.GET or right >= Right.SCORE


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
