"""Secrets in addresses: derived from a nonce and the server's key, stored only as a hash."""

import base64
import secrets

from django.utils.crypto import salted_hmac

LENGTH = 26  # base32 letters: 130 bits, too many to guess


def new_nonce() -> str:
    return secrets.token_hex(16)


def secret_of(salt: str, nonce: str) -> str:
    """Return the secret part of an address, derived from the nonce."""
    digest = salted_hmac(salt, nonce, algorithm="sha256").digest()
    return base64.b32encode(digest).decode()[:LENGTH].lower()
