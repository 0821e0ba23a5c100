"""Secrets that identify a guest's browser, and the hashes of secrets in the database."""

import hashlib
import secrets


def new_token() -> str:
    """Return a new secret that identifies a guest's browser."""
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    """Return the hash of a secret, as stored in the database; random bits need no slow one."""
    return hashlib.sha256(token.encode()).hexdigest()
