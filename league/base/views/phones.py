"""Recognising a phone without an account: a signed cookie with a random name, for a year."""

import hashlib
import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User
from league.base import rights
from league.base.rights import Right
from league.models import Club, Membership

COOKIE, SALT = "phone", "league.phone"
YEAR = 365 * 24 * 3600
DEVICE = 16
"""How much of a phone's hash names it beside what it entered."""


def phone_of(request: HttpRequest) -> str:
    """Return the phone's hash as the database stores it, "" for a new phone."""
    name = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR)
    return _hash(name) if name else ""


def named(request: HttpRequest) -> tuple[str, str]:
    """Return the phone's random name, a new one if it has none, and its hash."""
    name = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR)
    name = name or secrets.token_hex(16)
    return name, _hash(name)


def remember(response: HttpResponse, name: str) -> None:
    """Set the cookie with the phone's name for another year."""
    response.set_signed_cookie(
        COOKIE,
        name,
        salt=SALT,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def holder_of(request: HttpRequest, slug: str | None = None) -> User | None:
    """Return the stand-in for the owner of the held club, or of the phone's latest one."""
    if not (phone := phone_of(request)):
        return None
    held = Membership.objects.filter(club__held_by=phone, club__held_until__gt=timezone.now())
    if slug is not None:
        held = held.filter(club__slug=slug)
    member = held.select_related("user").order_by("-pk").first()
    return member.user if member is not None else None


def claim_with(
    request: HttpRequest, claim: Callable[..., object], answer: HttpResponse
) -> HttpResponse:
    """Claim with the visitor's phone and return the answer, which sets the phone's cookie."""
    name, phone = named(request)
    claim(phone=phone)
    remember(answer, name)
    return answer


def is_shared(request: HttpRequest, club: Club) -> bool:
    """Return whether others use this device too: a tablet at the door, or a scorer's."""
    right = rights.highest(request.user, club) or Right.SEE
    return "door" in request.GET or right >= Right.SCORE


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
