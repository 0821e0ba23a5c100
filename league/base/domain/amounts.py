"""Amounts of money as people type them: 10.000, 10,000, 10 000, 10k, 10 nghìn, 1,5tr."""

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from engine.rules.texts import mark as _
from league.base.domain.names import fold
from tables.base.currencies import DONG, currency_of, exponent

SCALES = {
    "k": 10**3,
    "nghin": 10**3,
    "ngan": 10**3,
    "thousand": 10**3,
    "tr": 10**6,
    "trieu": 10**6,
    "m": 10**6,
    "million": 10**6,
    "ty": 10**9,
    "ti": 10**9,
    "billion": 10**9,
}
"""Words after a number, without marks, and their factors."""

SCALES_OF_UNITS = ("k", "nghin", "ngan", "tr", "trieu")
"""The scales that a club's unit may be or begin with, as in nghìn đồng."""

SAME_UNITS = (
    DONG,
    ("$", "usd", "dollar", "dollars", "đô", "đô la"),
    ("€", "eur", "euro", "euros"),
    ("£", "gbp", "pound", "pounds"),
    ("điểm", "diem", "point", "points"),
)
"""Names of the same unit: a club that counts in one of them accepts the others."""

COMMON = 10_000
"""A common stake in đồng, assumed for clubs without a history."""

FAR = 100
"""The factor below or above the usual amounts at which an amount is out of scale."""

_ONE_GROUP = re.compile(r"([+-]?)[^\w]*([1-9][0-9]{0,2})[.,]([0-9]{3})[^\w]*")
_AMOUNT = re.compile(r"([0-9]+(?:[.,' ][0-9]+)*) ?(.*)")
_BEHIND = re.compile(r"([^\W\d_]+) ?([0-9]{0,3})(?![0-9])(?: ?(rưỡi)(?!\w))? ?(.*)")
_IN_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:[ '][0-9]{3})+(?=$|[.,])")
_LEADING_MARK = re.compile(r"^[.,](?=[0-9])")
_STARTS = tuple("0123456789.,")
_LONGEST = 40


class AmountProblem(ValueError):
    """Text that is no amount; `template` is the English sentence and `params` fills it.

    Integer parameters are amounts, to be shown in the reader's notation.
    """

    def __init__(self, template: str, **params: str | int) -> None:
        self.template = template
        self.params: Mapping[str, str | int] = params
        super().__init__(template % params)


UNREADABLE = _("“%(text)s” is not an amount. Enter it in figures, for example %(one)s or 10k.")
UNREADABLE_THERE = _("“%(text)s” is not an amount. Enter it in figures, for example %(one)s.")
AMBIGUOUS = _("“%(text)s” can mean %(one)s or %(other)s. Write out the amount you mean.")
NOT_WHOLE = _("“%(text)s” is not a whole amount. For %(one)s, write it out.")


def parse_amount(text: str, unit: str = "") -> int:
    """Return the amount in the unit's smallest part.

    A full stop or a comma followed by three digits groups thousands in every language, because
    no unit has three decimals. Raises AmountProblem for text with no reading, or with two.

    >>> [parse_amount(text) for text in ("10.000", "10,000", "10 000", "10k", "1,5tr", "−5")]
    [10000, 10000, 10000, 10000, 1500000, -5]
    >>> parse_amount("10 nghìn", "nghìn đồng")
    10
    >>> [parse_amount(text, "¤USD") for text in (".25", "0,25", "25¢", "$5", "1,250")]
    [25, 25, 25, 500, 125000]
    """
    said = _plain(text)
    units = units_of(unit)
    scale = scale_of(unit)
    sign = said[:1] if said.startswith(("+", "-")) else ""
    said = said.removeprefix(sign).lstrip()
    for word in units:  # $10
        if said[:1] not in _STARTS and said.startswith(word):
            said = said.removeprefix(word).lstrip()
            break
    said = _LEADING_MARK.sub("0.", said) if (places := exponent(unit)) else said
    found = _AMOUNT.fullmatch(said) if len(said) <= _LONGEST else None
    if found is None:
        raise _unreadable(text, unit)
    number, behind = found.groups()
    values = [value * 10**places for value in _values(number, behind, unit, units, scale)]
    if not values:
        raise _unreadable(text, unit)
    whole = sorted({int(value) for value in values if value.denominator == 1})
    if len(whole) > 1:
        raise AmountProblem(AMBIGUOUS, text=text.strip(), one=whole[0], other=whole[-1])
    if not whole:
        thousand = values[0] * 1000
        if thousand.denominator > 1 or scale > 1 or behind or places:
            raise _unreadable(text, unit)
        raise AmountProblem(NOT_WHOLE, text=text.strip(), one=int(thousand))
    return -whole[0] if sign == "-" else whole[0]


def both_readings(text: str) -> AmountProblem | None:
    """Return the question for a number such as 15.000, where numbers may have decimals.

    Three digits behind one sign are 15 or 15,000; all others have one reading.
    """
    found = _ONE_GROUP.fullmatch(_plain(text)) if len(text) <= _LONGEST else None
    if found is None:
        return None
    sign, whole, rest = found.groups()
    small = f"{sign}{whole}.{rest}".rstrip("0").rstrip(".")
    return AmountProblem(AMBIGUOUS, text=text.strip(), one=small, other=f"{sign}{whole}{rest}")


def _plain(text: str) -> str:
    """Return the text in lower case, with one kind of blank, minus and apostrophe."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = text.translate({ord("−"): "-", ord("–"): "-"})
    return re.sub(r"\s+", " ", text).strip().removeprefix("=").strip()


def _unreadable(text: str, unit: str) -> AmountProblem:
    said = text.strip()[:_LONGEST]
    if found := currency_of(unit):
        return AmountProblem(UNREADABLE_THERE, text=said, one=found.stake)
    return AmountProblem(UNREADABLE, text=said, one=10_000)


def units_of(unit: str) -> tuple[str, ...]:
    """Return the words for the unit that may follow an amount, the longest first."""
    if found := currency_of(unit):
        return tuple(sorted((*found.names, *found.parts), key=lambda word: (-len(word), word)))
    own = _plain(unit)
    base = own.partition(" ")[2] if scale_of(unit) > 1 else own
    same = next((names for names in SAME_UNITS if base in names), (base,))
    if scale_of(unit) > 1:
        same = (*same, *SAME_UNITS[0])
    return tuple(sorted({own, *same} - {""}, key=lambda word: (-len(word), word)))


def scale_of(unit: str) -> int:
    """Return the club's unit in base units: 1,000 for nghìn đồng, 1 for đồng."""
    first = fold(_plain(unit).partition(" ")[0])
    return SCALES[first] if first in SCALES_OF_UNITS else 1


def common(unit: str) -> int | None:
    """Return a common stake in the unit, None if none is known."""
    if found := currency_of(unit):
        return found.stake
    return COMMON // scale_of(unit) or None if "đồng" in units_of(unit) else None


def near(amount: int) -> list[int]:
    """Return an amount with the likely ones around it: its half if it is whole, twice and five."""
    return [amount // 2] * (amount % 2 == 0) + [amount, amount * 2, amount * 5]


def _values(
    number: str, behind: str, unit: str, units: tuple[str, ...], scale: int
) -> list[Fraction]:
    """Return the possible values of a number and the words after it, none for unknown words."""
    places = exponent(unit)
    if (currency := currency_of(unit)) and behind in currency.parts:
        return [value / 10**places for value in _readings(number)]
    own = units and behind in (word for word in units if scale_of(word) == scale)
    if not behind or own:
        return _readings(number, places=places)
    if behind in units:  # 10.000 đ in a club that counts in thousands.
        return [value / scale for value in _readings(number)]
    found = _BEHIND.fullmatch(behind)
    if found is None:
        return []
    word, tail, half, rest = found.groups()
    times = SCALES.get(fold(word))
    if times is None or (rest and rest not in units) or (tail and half):
        return []
    readings = _readings(number, scaled=True)
    if half:
        readings = [value + Fraction(1, 2) for value in readings if value.denominator == 1]
    elif tail:
        if not number.isdigit():
            return []
        tenths = Fraction(int(tail), 10 ** len(tail))
        spoken = [tenths, Fraction(int(tail), 1000)] if len(tail) == 2 else [tenths]
        readings = [int(number) + part for part in spoken]
    return [value * times / scale for value in readings]


def _readings(number: str, *, scaled: bool = False, places: int = 0) -> list[Fraction]:
    """Return the possible values of the digits, which may have so many decimal `places`.

    `scaled` says that a word after them multiplies them.
    """
    if grouped := _IN_GROUPS.match(number):
        number = re.sub(r"[ ']", "", grouped[0]) + number[grouped.end() :]
        if "." not in number and "," not in number:
            return [Fraction(number)]
        return [Fraction(number.replace(",", "."))]
    if " " in number or "'" in number:
        return []
    if "." in number and "," in number:
        last = max(number.rfind("."), number.rfind(","))
        head, tail = number[:last], number[last + 1 :]
        if number[last] in head or not _is_grouped(head) or len(tail) > 2:
            return []
        return [Fraction(f"{re.sub('[.,]', '', head)}.{tail}")]
    pieces = re.split("[.,]", number)
    joined = Fraction("".join(pieces))
    if len(pieces) == 1:
        return [joined]
    if len(pieces) > 2:
        return [joined] if _is_grouped(number) else []
    decimal = Fraction(".".join(pieces))
    if len(pieces[1]) <= places:
        return [decimal]
    if _is_grouped(number) and not scaled:
        return [joined]
    if scaled and len(pieces[1]) != 3:
        return [decimal]
    if pieces[0].startswith("0"):
        return [decimal]
    return [decimal, joined] if scaled or decimal.denominator == 1 else [decimal]


def _is_grouped(number: str) -> bool:
    return re.fullmatch(r"[1-9][0-9]{0,2}(?:[.,][0-9]{3})+", number) is not None


class Usual(NamedTuple):
    """The least and the largest usual amount of a club, each None if unknown."""

    least: int | None = None
    most: int | None = None

    def far_from(self, amount: int) -> int | None:
        """Return the usual amount if this one is out of scale, else None; 0 never is."""
        if amount and self.least and amount * FAR <= self.least:
            return self.least
        if self.most and amount >= self.most * FAR:
            return self.most
        return None
