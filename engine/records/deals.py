"""Verifiable deals, derived from a secret of the server and from parts of the players.

docs/live-tables.md describes the method in full. static/js/verify.js checks a deal in the browser,
``python -m engine check-deal`` checks the deal of a saved record.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from ..rules import deal
from ..rules.cards import CardError, parse_cards
from ..rules.errors import EngineError, RecordError
from ..rules.ruleset import Ruleset
from . import read

METHOD = "tien-len-deal/1"
"""Derivation of the cards from a key. If no player gave a part, the key is the secret itself."""

MIXED = "tien-len-deal/2"
"""Derivation of the key from the secret, the list of links and the players' parts."""


class SecretBits:
    """Random bits derived from a key and a label: HMAC-SHA256 over a counter.

    Each request takes the next four bytes as a big-endian number and returns its upper bits.
    """

    def __init__(self, key: str, label: str) -> None:
        self._key = bytes.fromhex(key)
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


def fingerprint(value: str) -> str:
    """Return the SHA-256 in hex of hex-encoded bytes: the commitment shown before the deal."""
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


def key_of(
    secret: str, *, table_key: str, game_no: int, links: Sequence[str], parts: Sequence[str]
) -> str:
    """Return the key of a deal; `links` and `parts` are by seat, "" for a seat without one."""
    if not any(parts):
        return secret
    text = f"{MIXED}:{table_key}:{game_no}:{_listed(links)}:{_listed(parts)}"
    return hmac.new(bytes.fromhex(secret), text.encode(), hashlib.sha256).hexdigest()


def shared_secret(secret: str, number: int) -> str:
    """Return the secret of one deal of several tables, which tells nothing of the others."""
    text = f"tien-len-deal/shared:{number}"
    return hmac.new(bytes.fromhex(secret), text.encode(), hashlib.sha256).hexdigest()


def first_dealer(key: str, table_key: str, players: int) -> int:
    """Return the dealer of a match's first game, all seats equally likely."""
    return deal.below(SecretBits(key, f"{METHOD}:{table_key}:dealer"), players)


def hands(
    ruleset: Ruleset, players: int, *, key: str, table_key: str, game_no: int, first: int
) -> list[tuple[int, ...]]:
    """Return the hand of each seat; `first` is the seat dealt to first."""
    bits = SecretBits(key, f"{METHOD}:{table_key}:{game_no}")
    return deal.deal(ruleset, players, bits, first=first)


def wrong_deal(record: dict[str, Any]) -> list[str]:
    """Return the faults of a record's deal in words; raises RecordError if it has no deal."""
    try:
        facts = record["deal"]
        dealt = [sorted(parse_cards(text)) for text in record["hands"]]
        links, parts = facts.get("links", []), facts.get("parts", [])
        wrong = []
        if fingerprint(facts["secret"]) != facts["commitment"]:
            wrong.append("The secret is not the one that the fingerprint was of.")
        for seat, (link, part) in enumerate(zip(links, parts, strict=True)):
            if part and fingerprint(part) != link:
                wrong.append(f"The part of seat {seat} is not the one that its link was of.")
        about: Any = {"table_key": str(facts["table"]), "game_no": int(facts["game"])}
        key = key_of(facts["secret"], links=links, parts=parts, **about)
        rules = read.ruleset_of(record)
        made = hands(rules, len(dealt), key=key, first=int(facts["first"]), **about)
        if [sorted(hand) for hand in made] != dealt:
            wrong.append("The hands are not those that follow from the secret and the parts.")
        if _first(record, rules) != facts["first"]:
            wrong.append("The seat dealt to first is not the one that the rules say.")
        if facts.get("drawn") and first_dealer(key, facts["table"], len(dealt)) != facts["dealer"]:
            wrong.append("The dealer is not the one who follows from them.")
    except RecordError:
        raise
    except (
        LookupError, TypeError, ValueError, OverflowError, AttributeError, CardError, EngineError
    ) as error:  # fmt: skip
        raise RecordError(
            "This is no record of a table's game: it says nothing of its deal."
        ) from error
    return wrong


def _first(record: dict[str, Any], rules: Ruleset) -> int:
    """Return the seat dealt to first, by which everyone gets the one hand or the other."""
    facts, players, previous = record["deal"], len(record["hands"]), record.get("previous")
    if facts.get("standalone"):
        return -int(facts["game"]) % players
    winner = previous["placings"][0][0] if previous else None
    return deal.first_dealt(rules, facts["dealer"], players, winner)


def _listed(values: Sequence[str]) -> str:
    return "|".join(value or "-" for value in values)
