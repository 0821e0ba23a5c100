"""The secret of a deal; `engine.records.deals` derives the deal from it."""

from __future__ import annotations

import secrets


def new_secret() -> str:
    """Return 256 random bits as 64 hexadecimal digits."""
    return secrets.token_hex(32)
