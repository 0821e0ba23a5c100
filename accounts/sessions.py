"""Sessions: on which devices someone is signed in, and until when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import User

SEEN = "seen"


def seen_daily(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a session in use restarts its time, once a day; an idle one ends."""

    def handle(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        session = request.session
        if response.status_code < 500 and session.accessed and SESSION_KEY in session:
            today = timezone.now().date().isoformat()
            if session.get(SEEN) != today:
                session[SEEN] = today
                own = UserSession.objects.filter(session_key=session.session_key)
                own.update(last_seen_at=timezone.now())
        return response

    return handle


@receiver(user_logged_in)
def see(request: HttpRequest, **kwargs: Any) -> None:
    """Note the first day of a session."""
    request.session[SEEN] = timezone.now().date().isoformat()


def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign the account out everywhere, but for one session; also where no list knows of it."""
    for session in Session.objects.exclude(pk=but).iterator(chunk_size=1000):
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
    UserSession.objects.filter(user=user).exclude(session_key=but).delete()
