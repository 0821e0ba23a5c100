"""API tokens, with which programs act for an account."""

import datetime
import secrets
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.models import ApiToken
from league.models.token import ALL_SCOPES
from tables.base.tokens import hash_of
from tables.refusals import Refusal

PREFIX = "tl_"
MOST = 20
MOST_DAYS = 365
NOTED = datetime.timedelta(minutes=1)
"""The least time between two updates of a token's last use, which is read by the day."""

# Every request with a token runs this query; as querysets it takes Python four times as long.
IN_FORCE = """
    SELECT account.*, token.id AS token_id, token.used_at AS token_used_at,
        token.scopes AS token_scopes
    FROM league_apitoken AS token JOIN accounts_user AS account ON account.id = user_id
    WHERE digest = %s AND revoked_at IS NULL AND is_active
        AND (expires_at IS NULL OR expires_at > statement_timestamp())
"""


@transaction.atomic
def create_token(
    *, user: User, name: str, scopes: Collection[str] = ALL_SCOPES, days: int = MOST_DAYS
) -> tuple[ApiToken, str]:
    """Create a token for `scopes` and `days`; return it with its secret.

    Only the secret's digest is stored.
    """
    clean = name.strip()
    if not clean or len(clean) > 60:
        raise Refusal(_("Describe what the token is for, in 1 to 60 characters."), field="name")
    if not scopes or not set(scopes) <= set(ALL_SCOPES):
        raise Refusal(_("Choose what the token may do."), code="scopes", field="scopes")
    if not 1 <= days <= MOST_DAYS:
        raise Refusal(_("A token lasts 1 to 365 days."), code="days", field="days")
    User.objects.select_for_update().get(pk=user.pk)
    if user.api_tokens.alive().count() >= MOST:
        raise Refusal(_("You already have 20 tokens. Revoke one you don't use."), field="name")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=clean,
        digest=hash_of(secret),
        scopes=[scope for scope in ALL_SCOPES if scope in scopes],
        expires_at=timezone.now() + datetime.timedelta(days=days),
    )
    return token, secret


def revoke_token(*, token: ApiToken) -> None:
    """Revoke the token. Idempotent."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def revoke_all(*, user: User) -> None:
    """Revoke all tokens of the account, as a new password does."""
    user.api_tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


def token_of(secret: str) -> ApiToken | None:
    """Return the working token with that secret; its account must be active."""
    asked: Any = User.objects.raw(IN_FORCE, [hash_of(secret)])
    user = next(iter(asked), None)
    if user is None:
        return None
    row = (user.token_id, user.pk, user.token_scopes, user.token_used_at)
    token = ApiToken.from_db(user._state.db, ["id", "user_id", "scopes", "used_at"], row)
    token.user = user
    now = timezone.now()
    if token.used_at is None or now - token.used_at > NOTED:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
    return token


def player_of(secret: str) -> User | None:
    """Return the account of the token with that secret, None without the scope to play."""
    token = token_of(secret)
    return token.user if token and ApiToken.Scope.PLAY in token.scopes else None
