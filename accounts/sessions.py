"""Sessions: the devices on which a person is signed in, and their expiry."""

import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db import connection
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.middleware import GetResponse, middleware
from accounts.models import User

SEEN = "seen"

_FIELDS = [field.attname for field in User._meta.concrete_fields]
_BOTH = f"""
    SELECT session_data, {", ".join(f"account.{name}" for name in _FIELDS)}
    FROM django_session
        LEFT JOIN usersessions_usersession USING (session_key)
        LEFT JOIN {User._meta.db_table} account ON account.id = user_id
    WHERE session_key = %s AND expire_date > %s
"""


def account_of(request: HttpRequest) -> User | None:
    """Return the signed-in account or None, reading session and account in one query, not two.

    For pages that are requested many times a second. If the two do not match, Django's own
    authentication decides.
    """
    session: Any = request.session
    if session.session_key and not hasattr(session, "_session_cache"):
        with connection.cursor() as cursor:
            found = cursor.execute(_BOTH, [session.session_key, timezone.now()]).fetchone()
        if found:
            session._session_cache = session.decode(found[0])
            account = User.from_db(connection.alias, _FIELDS, found[1:])
            if _is_of(session, account):
                request._cached_user = account  # type: ignore[attr-defined]
    return request.user if request.user.is_authenticated else None


def _is_of(session: Any, account: User) -> bool:
    return (
        bool(account.pk and account.is_active)
        and session.get(SESSION_KEY) == str(account.pk)
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(
            session.get(HASH_SESSION_KEY, ""), account.get_session_auth_hash()
        )
    )


@middleware
def seen_daily(request: HttpRequest, get_response: GetResponse) -> HttpResponse:
    """Renew a session in use once a day; an idle one expires."""
    response = get_response(request)
    session = request.session
    if response.status_code < 500 and session.accessed and SESSION_KEY in session:
        today = timezone.now().date().isoformat()
        if session.get(SEEN) != today:
            session[SEEN] = today
            own = UserSession.objects.filter(session_key=session.session_key)
            own.update(last_seen_at=timezone.now())
    return response


@receiver(user_logged_in)
def see(request: HttpRequest, **kwargs: Any) -> None:
    request.session[SEEN] = timezone.now().date().isoformat()


def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign the account out of all sessions except `but`, whether UserSession lists them or not."""
    for session in Session.objects.exclude(pk=but).iterator(chunk_size=1000):
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
    UserSession.objects.filter(user=user).exclude(session_key=but).delete()


def forget_ended(now: datetime.datetime) -> int:
    """Delete what is known of sessions that are over, network and browser; return how many."""
    lasting = Session.objects.filter(expire_date__gt=now).values("session_key")
    return int(UserSession.objects.exclude(session_key__in=lasting).delete()[0])
