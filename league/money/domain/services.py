"""Ways to be paid outside Vietnam: by what each is known, and what a payer opens or scans."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

LONGEST_MEMO, LONGEST_NAME = 140, 70


class Service(NamedTuple):
    """A payment service: its name, whom it knows by `pattern`, and the currencies it pays in.

    `link` takes the handle, the amount and the code of the currency; its host is fixed. Without
    one, the payer scans a code (SEPA).
    """

    name: str
    pattern: re.Pattern[str]
    currencies: frozenset[str]
    link: Callable[[str, Decimal, str], str] | None = None


_EUROPE = frozenset({"EUR", "GBP", "CHF", "CZK", "PLN", "USD"})
_PAYPAL = frozenset({"USD", "CAD", "AUD", "EUR", "GBP", "CHF", "CZK", "PLN", "JPY"})
SERVICES = {
    "sepa": Service("SEPA (IBAN)", re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}"),
                    frozenset({"EUR"})),
    "paypal": Service("PayPal.Me", re.compile(r"[A-Za-z0-9]{1,20}"), _PAYPAL,
                      lambda who, much, code: f"https://www.paypal.com/paypalme/{who}/{much}{code}"),
    "venmo": Service("Venmo", re.compile(r"[A-Za-z0-9_-]{5,30}"), frozenset({"USD"}),
                     lambda who, _much, _code: f"https://venmo.com/u/{who}"),
    "cashapp": Service("Cash App", re.compile(r"[A-Za-z][A-Za-z0-9]{0,19}"),
                       frozenset({"USD", "GBP"}),
                       lambda who, _much, _code: f"https://cash.app/${who}"),
    "revolut": Service("Revolut", re.compile(r"[A-Za-z0-9_]{3,20}"), _EUROPE,
                       lambda who, _much, _code: f"https://revolut.me/{who}"),
}  # fmt: skip
"""By the key under which a way names them, in place of a bank's BIN."""


def is_iban(text: str) -> bool:
    """Return whether the digits of an IBAN agree: ISO 7064, modulo 97."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def transfer_code(*, iban: str, name: str, amount: Decimal, words: str) -> str:
    """Return the text of a SEPA transfer's QR code, version 002 (EPC069-12), in euro."""
    lines = ("BCD", "002", "1", "SCT", "", name[:LONGEST_NAME], iban, f"EUR{amount:.2f}", "", "",
             words[:LONGEST_MEMO])  # fmt: skip
    return "\n".join(lines)
