"""Two-factor authentication: encryption of its secrets, and whether passkeys are offered."""

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
    """An allauth adapter that encrypts app secrets and recovery codes with SECRET_KEY.

    A stolen copy of the database alone gives no codes. If the key was replaced, no code matches any
    more, and the owner removes the second factor.
    """

    def encrypt(self, text: str) -> str:
        return str(_keys().encrypt(text.encode()), "ascii")

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return str(_keys().decrypt(encrypted_text.encode()), "utf-8")
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


def passkeys(request: HttpRequest) -> dict[str, Any]:
    """Return `passkeys_offered` for templates: browsers need TLS or localhost for passkeys."""
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
