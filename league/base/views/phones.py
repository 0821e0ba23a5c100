"""Recognising a phone without an account: a signed cookie with a random name, for a year."""

import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User
from league.base import phone_keys, rights
from league.base.rights import Right
from league.models import Club, Membership
from tables.base.tokens import hash_of
from tables.numbers import whole_number

COOKIE, SALT, NIGHT = "phone", "league.phone", "night"
ON_TABLE = "on-table"
DAY = 24 * 3600
YEAR = 365 * DAY


def phone_of(request: HttpRequest) -> str:
    """Return the hash that names the phone to acts, which store it keyed; "" for a new phone."""
    name = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR)
    return hash_of(name) if name else ""


def named(request: HttpRequest) -> tuple[str, str]:
    """Return the phone's random name, a new one if it has none, and its hash."""
    name = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=YEAR)
    name = name or secrets.token_hex(16)
    return name, hash_of(name)


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


def last_night(request: HttpRequest) -> int | None:
    """Return the key of the night whose page this phone opened last."""
    return whole_number(request.COOKIES.get(NIGHT))


def remember_night(response: HttpResponse, night: int) -> None:
    """Keep the night for the front page, which leads to the one that was opened last."""
    response.set_cookie(
        NIGHT, str(night), max_age=2 * DAY, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


def holder_of(request: HttpRequest, slug: str | None = None) -> User | None:
    """Return the stand-in for the owner of the held club, or of the phone's latest one."""
    clubs = phone_keys.held_clubs(phone_of(request))
    held = Membership.objects.filter(club__in=clubs, club__held_until__gt=timezone.now())
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
    """Return whether others use this device too: at the door, on a table, or a scorer's."""
    right = rights.highest(request.user, club) or Right.SEE
    return "door" in request.GET or right >= Right.SCORE or lies_on_table(request, club)


def lies_on_table(request: HttpRequest, club: Club) -> bool:
    """Return whether this device lies on a table of the club, where it is nobody's."""
    found: bool = request.session.get(ON_TABLE) == club.pk
    return found


def lay_on_table(request: HttpRequest, club: Club | None) -> None:
    """Remember that this device lies on a table of the club; None makes it a person's again."""
    request.session[ON_TABLE] = club and club.pk


def device_of(phone: str, club: Club) -> str:
    """Return the part of the phone's key in the club that stands beside what it entered."""
    return phone_keys.device_of(phone, club.pk)
