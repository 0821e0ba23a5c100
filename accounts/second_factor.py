"""The second factor at sign-in: how its secrets are kept, and where a passkey can be offered."""

from __future__ import annotations

import base64
import secrets
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

LOCAL_NAMES = ("localhost",)


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of apps and recovery codes are encrypted with a key made from SECRET_KEY.

    The one who steals a copy of the database alone cannot make codes. Where the key is another one
    than it was, no code fits any more, and the owner takes the second factor off.
    """

    def encrypt(self, text: str) -> str:
        return str(_keys().encrypt(text.encode()), "ascii")

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return str(_keys().decrypt(encrypted_text.encode()), "utf-8")
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


def passkeys(request: HttpRequest) -> dict[str, Any]:
    """`passkeys_offered` for templates: browsers know passkeys under TLS and on localhost only."""
    try:
        name = request.get_host().partition(":")[0]
    except DisallowedHost:  # The page that refuses such a request shows no form.
        return {"passkeys_offered": False}
    return {"passkeys_offered": request.is_secure() or name in LOCAL_NAMES}


def _keys() -> MultiFernet:
    return MultiFernet(
        Fernet(
            base64.urlsafe_b64encode(
                salted_hmac("accounts.second_factor", "", secret=key, algorithm="sha256").digest()
            )
        )
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
