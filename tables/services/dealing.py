"""Fair dealing: a secret for each game, its commitment, and the cards that follow from it.

docs/live-tables.md describes the method in full; static/js/verify.js repeats it for the reader.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from engine.rules import deal as engine_deal
from engine.rules.ruleset import Ruleset

METHOD = "tien-len-deal/1"


class SecretBits:
    """Random bits that follow from a secret and a label: HMAC-SHA256 over a counter.

    Each request takes the next four bytes as a big-endian number and returns its upper bits.
    """

    def __init__(self, secret: str, label: str) -> None:
        self._key = bytes.fromhex(secret)
        self._label = label
        self._block = 0
        self._bytes = b""

    def getrandbits(self, k: int, /) -> int:
        """Return a number of `k` bits, at most 32."""
        if not self._bytes:
            message = f"{self._label}:{self._block}".encode()
            self._bytes = hmac.new(self._key, message, hashlib.sha256).digest()
            self._block += 1
        four, self._bytes = self._bytes[:4], self._bytes[4:]
        return int.from_bytes(four, "big") >> (32 - k)


def new_secret() -> str:
    """256 random bits as 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return what everyone sees before the deal: the SHA-256 of the secret's bytes."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def first_dealer(secret: str, table_key: str, players: int) -> int:
    """Return the dealer of a match's first game, all seats equally likely."""
    return engine_deal.below(SecretBits(secret, f"{METHOD}:{table_key}:dealer"), players)


def hands(
    ruleset: Ruleset, players: int, *, secret: str, table_key: str, game_no: int, first: int
) -> list[tuple[int, ...]]:
    """Return the hand of each seat; `first` is dealt to first."""
    bits = SecretBits(secret, f"{METHOD}:{table_key}:{game_no}")
    return engine_deal.deal(ruleset, players, bits, first=first)
