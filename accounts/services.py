"""Creation of accounts, and links that set a password without a mail server."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from accounts.models import User

NOBODY = "owner@localhost.localdomain"
"""The email of an administrator who has not entered one."""


def asks_address(user: User) -> bool:
    """Return whether the administrator's password link also asks for an email: alarms go there."""
    return bool(settings.HAS_MAIL and user.is_superuser and user.email == NOBODY)


def password_link(*, user: User) -> str:
    """Return the path of a page where `user` sets a new password.

    The link works once and for `PASSWORD_RESET_TIMEOUT`: its token depends on the current password
    and last sign-in.
    """
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    uid, _, token = key.partition("-")
    return reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})


@transaction.atomic
def create_owner(*, email: str) -> User:
    """Return the installation's owner with that email, created without a password if missing.

    Raises LookupError if the account with that email is not an owner.
    """
    user = User.objects.filter(email__iexact=email).first()
    if user is not None and not user.is_superuser:
        raise LookupError(user.email)
    return user or User.objects.create_superuser(email)


@transaction.atomic
def remove_second_factor(*, user: User) -> bool:
    factors = Authenticator.objects.filter(user=user)
    had_any: bool = factors.exists()
    factors.delete()
    return had_any
