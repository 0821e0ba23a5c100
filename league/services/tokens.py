"""Secrets by which programs act for an account."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import ApiToken

PREFIX = "tl_"
MOST = 20
NOTED = datetime.timedelta(minutes=1)
"""That a token is used is written down so often at most: it is read by the day."""

# Every request with a token asks this: the same by querysets takes Python four times as long.
IN_FORCE = """
    SELECT account.*, token.id AS token_id, token.used_at AS token_used_at
    FROM league_apitoken AS token JOIN accounts_user AS account ON account.id = user_id
    WHERE digest = %s AND revoked_at IS NULL AND is_active
"""


@transaction.atomic
def create_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """A new token and its secret, which nobody can read again afterwards."""
    clean = name.strip()
    if not clean or len(clean) > 60:
        raise ValidationError({"name": _("Say in 1 to 60 characters what the token is for.")})
    User.objects.select_for_update().get(pk=user.pk)
    if user.api_tokens.filter(revoked_at=None).count() >= MOST:
        raise ValidationError({"name": _("You have 20 tokens. Revoke one that is not used.")})
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(user=user, name=clean, digest=_digest(secret))
    return token, secret


def revoke_token(*, token: ApiToken) -> None:
    """Ends the token; revoking it again changes nothing."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def token_of(secret: str) -> ApiToken | None:
    """The token in force with that secret; its account must be active."""
    asked: Any = User.objects.raw(IN_FORCE, [_digest(secret)])
    user = next(iter(asked), None)
    if user is None:
        return None
    row = (user.token_id, user.pk, user.token_used_at)
    token = ApiToken.from_db(user._state.db, ["id", "user_id", "used_at"], row)
    token.user = user
    _note_use(token)
    return token


def user_of(secret: str) -> User | None:
    """The account for which the token with that secret acts."""
    token = token_of(secret)
    return token.user if token else None


def _note_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.used_at is None or now - token.used_at > NOTED:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


def _digest(secret: str) -> str:
    """Enough without a slow hash: the secret has 256 bits of chance."""
    return hashlib.sha256(secret.encode()).hexdigest()
