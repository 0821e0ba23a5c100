"""The log of an account's security events, for its holder."""

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db import transaction
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from accounts import security_mail
from accounts.addresses import prefix_of
from accounts.models import SecurityEvent, User

Kind = SecurityEvent.Kind
NOTED = {
    user_logged_in: Kind.SIGNED_IN,
    authentication_failed: Kind.FAILED,
    password_changed: Kind.PASSWORD,
    password_reset: Kind.PASSWORD,
    password_set: Kind.PASSWORD,
    authenticator_added: Kind.FACTOR_ADDED,
    authenticator_removed: Kind.FACTOR_REMOVED,
}
"""The events that a signal tells of, with their account and request."""


def note(
    kind: str,
    user: User,
    *,
    request: HttpRequest | None = None,
    by: User | None = None,
    to: str | None = None,
    club: str = "",
) -> None:
    """Record a security event of `user`; `by` is the person who caused it, if someone else.

    `club` is the name of the club in which it happened. Important events are also emailed, to `to`
    or to the account's own address.
    """
    known = request is not None and "REMOTE_ADDR" in request.META
    with transaction.atomic():
        event = SecurityEvent.objects.create(
            user=user,
            kind=kind,
            by=by if by != user else None,
            club=club,
            address=prefix_of(request) if request is not None and known else "",
        )
        if kind in security_mail.TOLD:
            security_mail.queue(event, security_mail.address_of(user) if to is None else to)


@receiver(user_login_failed)
def _wrong_password(credentials: dict[str, Any], **kwargs: Any) -> None:
    email = str(credentials.get("email") or credentials.get("username") or "")
    user = User.objects.filter(email__iexact=email, is_active=True).first()
    if user is not None:
        note(Kind.FAILED, user, request=kwargs.get("request"))


@receiver(list(NOTED))
def _noted(signal: Signal, user: User, request: HttpRequest, **kwargs: Any) -> None:
    note(NOTED[signal], user, request=request)
