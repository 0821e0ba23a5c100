"""Secrets of addresses: made from a nonce and the server's key, stored as a hash only."""

from __future__ import annotations

import base64
import hashlib
import secrets

from django.utils.crypto import salted_hmac

LENGTH = 26  # base32 letters: 130 bits, which nobody guesses


def new_nonce() -> str:
    """Return what a secret is made from."""
    return secrets.token_hex(16)


def secret_of(salt: str, nonce: str) -> str:
    """Return the secret part of an address, the same each time."""
    digest = salted_hmac(salt, nonce, algorithm="sha256").digest()
    return base64.b32encode(digest).decode()[:LENGTH].lower()


def hash_of(secret: str) -> str:
    """Return what the database has of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
