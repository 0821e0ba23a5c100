"""The time zone of the person who reads: their browser's, or the one they chose."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts.middleware import GetResponse, middleware
from accounts.models import User

SEEN, CHOSEN = "zone", "own_zone"
"""The cookies with the browser's zone, which static/js/app.js sets, and with a chosen one."""
YEAR = 365 * 24 * 3600

_reader: ContextVar[str] = ContextVar("reader's zone", default="")


def reader_zone() -> str:
    """Return the zone of the person who reads what is being written, "" where nobody knows it."""
    return _reader.get()


@contextmanager
def read_in(zone: str) -> Iterator[None]:
    """Write what follows for a reader in `zone`, which may be "" for an unknown one."""
    token = _reader.set(zone)
    try:
        yield
    finally:
        _reader.reset(token)


@cache
def names() -> frozenset[str]:
    """Return the names of all time zones; reading them takes hundreds of files."""
    return frozenset(zoneinfo.available_timezones())


@middleware
def of_reader(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Show times by the reader's clock, and keep it for the account."""
    seen = _cookie(request, SEEN)
    name = _cookie(request, CHOSEN) or seen
    request.has_zone = bool(name)  # type: ignore[attr-defined]
    with read_in(name), timezone.override(zoneinfo.ZoneInfo(name or settings.TIME_ZONE)):
        response = get_response(request)
    user = getattr(request, "_cached_user", None)  # None: no view asked who it is.
    if seen and isinstance(user, User) and seen != user.time_zone and not user.keeps_zone:
        User.objects.filter(pk=user.pk, keeps_zone=False).update(time_zone=seen)
    if (chosen := getattr(request, "chosen_zone", None)) is not None:
        _keep(request, response, chosen)
    return response


def choose(request: HttpRequest, user: User, zone: str) -> None:
    """Show the account's times in `zone` from now on, wherever it signs in; "": as each device."""
    User.objects.filter(pk=user.pk).update(
        keeps_zone=bool(zone), time_zone=zone or _cookie(request, SEEN)
    )
    request.chosen_zone = zone  # type: ignore[attr-defined]


def _cookie(request: HttpRequest, cookie: str) -> str:
    name = request.COOKIES.get(cookie, "")
    return name if name in names() else ""


def _keep(request: HttpRequest, response: HttpResponse, zone: str) -> None:
    """Let this browser show times in `zone`; with "" in its own again."""
    if not zone:
        if CHOSEN in request.COOKIES:
            response.delete_cookie(CHOSEN, samesite="Lax")
        return
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(CHOSEN, zone, max_age=YEAR, samesite="Lax", secure=secure, httponly=True)


@receiver(user_logged_in)
def take_along(request: HttpRequest, user: User, **kwargs: object) -> None:
    """Show the account's chosen zone in a browser where it signs in, and keep its language."""
    if (language := translation.get_language()) and language != user.language:
        User.objects.filter(pk=user.pk).update(language=language)
    request.chosen_zone = user.time_zone if user.keeps_zone else ""  # type: ignore[attr-defined]
