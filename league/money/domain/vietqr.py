"""The text inside a VietQR code: a prefilled transfer to a bank account in Vietnam.

The format is EMVCo's merchant-presented QR code: nested fields of an ID, a length and a value,
and a checksum. NAPAS defines the fields of a transfer to an account.
"""

import datetime
import unicodedata
from collections.abc import Iterable

_NAPAS = "A000000727"
_TO_ACCOUNT = "QRIBFTTA"
_DONG = "704"
_LONGEST_AMOUNT = 13
LONGEST_WORDS = 25


def code(*, bank: str, number: str, amount: int = 0, words: str = "") -> str:
    """Return the code's text; `bank` is the BIN, `amount` is in đồng, `words` is the memo.

    An amount too long for its field is left out, and the payer types it.
    """
    filled_in = 0 < amount < 10**_LONGEST_AMOUNT
    words = plain(words)
    account = _field(0, bank) + _field(1, number)
    text = (
        _field(0, "01")
        + _field(1, "12" if filled_in else "11")
        + _field(38, _field(0, _NAPAS) + _field(1, account) + _field(2, _TO_ACCOUNT))
        + _field(53, _DONG)
        + (_field(54, str(amount)) if filled_in else "")
        + _field(58, "VN")
        + (_field(62, _field(8, words)) if words else "")
        + "6304"
    )
    return f"{text}{checksum(text):04X}"


def plain(words: str) -> str:
    """Return words as banks accept them: at most 25 ASCII letters, digits and spaces."""
    return _bare(words)[:LONGEST_WORDS].rstrip()


def memo(name: str, *, day: datetime.date | None = None, names: Iterable[str] = ()) -> str:
    """Return the memo of a payer's transfer, unlike those of the other payers `names`.

    Vietnamese given names stand last, so a long name becomes initials from its beginning.
    """
    start = f"TL {day:%d %m}" if day else "TL"
    taken: set[str] = set()
    words = ""
    for each in sorted({*names, name}):
        words, number = _memo(start, each), 1
        while words in taken:
            number += 1
            words = _memo(start, each, f" {number}")
        taken.add(words)
        if each == name:
            break
    return words


def _memo(start: str, name: str, end: str = "") -> str:
    letters = LONGEST_WORDS - len(start) - len(end) - 1
    words = _bare(name).split()
    for at in range(len(words) - 1):
        if len(" ".join(words)) <= letters:
            break
        words[at] = words[at][0]
    kept = " ".join(words)
    while len(kept) > letters and " " in kept:
        kept = kept.partition(" ")[2]
    return f"{start} {kept[:letters]}".rstrip() + end


def checksum(text: str) -> int:
    """Return the CRC-16 that ends an EMVCo code (CCITT, initial value 0xFFFF)."""
    crc = 0xFFFF
    for byte in text.encode():
        crc ^= byte << 8
        for _bit in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def _field(number: int, value: str) -> str:
    return f"{number:02}{len(value):02}{value}"


def _bare(words: str) -> str:
    letters = unicodedata.normalize("NFD", words.replace("đ", "d").replace("Đ", "D"))
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join("".join(c if c.isascii() and c.isalnum() else " " for c in bare).split())
