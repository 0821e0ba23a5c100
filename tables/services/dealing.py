"""The secret of a deal; what follows from it is in `engine.records.deals`."""

from __future__ import annotations

import secrets


def new_secret() -> str:
    """256 random bits as 64 hexadecimal digits."""
    return secrets.token_hex(32)
