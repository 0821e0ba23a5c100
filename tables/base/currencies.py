"""What amounts of money are counted in, and how they are written.

An amount is a whole number of the smallest part of its unit. A unit is a word that people chose,
whose amounts have no parts (đ, chips), or `¤` and the code of a currency: ¤EUR counts cents.
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.translation import get_language

MARK = "¤"
POINTS = ("điểm", "points")
DONG = ("đ", "₫", "d", "đồng", "dong", "vnd", "vnđ")


class Currency(NamedTuple):
    """A currency with `exponent` decimals; in English its sign may lead the number.

    `names` are how people write it, in lower case, and `parts` how they write its hundredths.
    `stake` is a common stake of a game.
    """

    code: str
    exponent: int
    sign: str
    leads: bool
    stake: int
    names: tuple[str, ...]
    parts: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        return MARK + self.code


_DOLLARS, _CENTS = ("$", "dollar", "dollars", "đô", "đô la"), ("¢", "c", "cent", "cents", "xu")
CURRENCIES = {
    currency.code: currency
    for currency in (
        Currency("USD", 2, "$", True, 25, (*_DOLLARS, "usd", "us$", "đô mỹ"), _CENTS),
        Currency("CAD", 2, "C$", True, 25, (*_DOLLARS, "cad", "c$", "ca$"), _CENTS),
        Currency("AUD", 2, "A$", True, 20, (*_DOLLARS, "aud", "a$", "au$", "đô úc"), _CENTS),
        Currency("EUR", 2, "€", True, 20, ("€", "eur", "euro", "euros"), _CENTS),
        Currency("GBP", 2, "£", True, 20, ("£", "gbp", "pound", "pounds", "bảng"),
                 ("p", "penny", "pence")),
        Currency("CHF", 2, "CHF", True, 50, ("chf", "fr", "fr.", "franken", "francs"),
                 ("rp", "rp.", "rappen", "ct")),
        Currency("CZK", 2, "Kč", False, 500, ("kč", "czk", "kc", "koruna"), ("h", "haléř")),
        Currency("PLN", 2, "zł", False, 100, ("zł", "pln", "zl", "złoty"), ("gr", "grosz")),
        Currency("JPY", 0, "¥", True, 50, ("¥", "jpy", "yen", "円", "yên")),
        Currency("KRW", 0, "₩", True, 500, ("₩", "krw", "won", "원")),
    )
}  # fmt: skip
"""Those with a sign or decimals of their own. Đồng is a word: its amounts are whole (`amounts`)."""


def currency_of(unit: str) -> Currency | None:
    """Return the currency of a unit, None for a word that people chose."""
    return CURRENCIES.get(unit.removeprefix(MARK)) if unit.startswith(MARK) else None


def code(unit: str) -> str:
    """Return the currency's code, "" for a word that names none."""
    if found := currency_of(unit):
        return found.code
    return "VND" if unit.strip().casefold() in DONG else ""


def exponent(unit: str) -> int:
    """Return the number of decimals in which amounts of the unit are written."""
    found = currency_of(unit)
    return found.exponent if found else 0


def unit_of(text: str, likely: Iterable[str] = ()) -> str:
    """Return the unit that a person names; of several dollars the first `likely` code."""
    said = text.strip().casefold()
    codes = [*likely, *CURRENCIES]
    for found in (CURRENCIES[code] for code in codes if code in CURRENCIES):
        if said in (found.unit.casefold(), *found.names):
            return found.unit
    return text.strip().replace(MARK, "")


def paid_with(code: str) -> str:
    """Return the unit of a place's currency by its code, "" for one that is not listed."""
    found = CURRENCIES.get(code)
    return found.unit if found else DONG[0] if code == "VND" else ""


def sign(unit: str) -> str:
    """Return the unit as it stands in a heading or beside a field: $, đ."""
    found = currency_of(unit)
    return found.sign if found else unit


def bare(value: int, unit: str = "") -> str:
    """Return an amount in the reader's notation without its unit: 1,350 or −0.25."""
    places = exponent(unit)
    number = number_format(Decimal(value).scaleb(-places), places, force_grouping=True)
    return number.replace("-", "−")


def in_whole(value: int, unit: str) -> int | Decimal:
    """Return an amount as a number of the whole unit, for files: 1250 cents are 12.50."""
    places = exponent(unit)
    return Decimal(value).scaleb(-places) if places else value


def signed(value: int, unit: str = "") -> str:
    """Return an amount that was won or lost, without its unit: +3, −0.25, 0."""
    return f"+{bare(value, unit)}" if value > 0 else bare(value, unit) if value else "0"


def amount(value: int, unit: str = "") -> str:
    """Return an amount with its unit: 1,350 đ, −$0.25."""
    found = currency_of(unit)
    if found and found.leads and get_language() != "vi":
        space = " " if found.sign.isalpha() else ""
        return f"{'−' if value < 0 else ''}{found.sign}{space}{bare(abs(value), unit)}"
    return f"{bare(value, unit)} {sign(unit)}" if unit else bare(value)


def money(value: int, unit: str) -> str:
    """Return an amount with its unit, without one if the unit means points."""
    return amount(value, "" if unit.strip().lower() in POINTS else unit)


def signed_amount(value: int, unit: str = "") -> str:
    """Return what was won or lost, with its unit unless that means points: +3 đ, −$0.25."""
    if not value and currency_of(unit):
        return "0"
    return f"+{money(value, unit)}" if value > 0 else money(value, unit)


def brief(value: int, unit: str) -> str:
    """Return a signed amount for a tile: whole thousands as +20k where a word counts."""
    whole, rest = divmod(value, 1000)
    if not value or rest or currency_of(unit):
        return signed_amount(value, unit)
    return f"{signed(whole)}k"


def in_k(value: int, unit: str) -> str:
    """Return an amount for a row: whole thousands of a word as 20k, others whole: 350 đ."""
    return brief(value, unit).removeprefix("+")
