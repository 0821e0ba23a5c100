"""Numbers of the domain as pages show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django import template
from django.utils.formats import number_format

from league.domain import names
from league.domain.standings import Night
from league.models import Entrant, Player
from league.season_forms import TIE_BREAK_NAMES

register = template.Library()


@register.filter
def points(value: Fraction) -> str:
    """Points with at most two decimals, in the reader's notation: 3, 1.5, 0.67."""
    rounded = round(float(value), 2)
    places = 0 if rounded == int(rounded) else 1 if rounded * 10 == int(rounded * 10) else 2
    return number_format(rounded, places).replace("-", "−")


@register.filter
def meant(rows: Iterable[Player | Entrant], query: str) -> list[Player | Entrant]:
    """Those of the players or entrants that somebody may look for by this name."""
    people = ((row, row.player if isinstance(row, Entrant) else row) for row in rows)
    return [row for row, player in people if names.is_meant(player.name, query)]


@register.filter
def count(counts: Mapping[int, int], rank: int) -> int:
    """How often that rank was taken."""
    return counts.get(rank, 0)


@register.filter
def signed(amount: int) -> str:
    """An amount with its sign: +3, −1, 0."""
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return f"{sign}{number_format(abs(amount), 0, force_grouping=True)}"


@register.filter
def amount(value: int) -> str:
    """An amount of money in the reader's notation: 1,350, and −5 with a true minus sign."""
    return number_format(value, 0, force_grouping=True).replace("-", "−")


@register.filter
def points_signed(value: Fraction) -> str:
    """Points with their sign: +1.5, −2."""
    return f"+{points(value)}" if value > 0 else points(value)


@register.filter
def figure(value: float, places: int) -> str:
    """A number with so many decimals, in the reader's notation and with a true minus sign."""
    return number_format(round(value, places), places).replace("-", "−")


@register.filter
def percent(share: float) -> str:
    """A share in percent without needless decimals: 2, 0.5."""
    return points(Fraction(round(share * 10_000), 100))


@register.filter
def tie_break(key: str) -> str:
    """A tie-break in words."""
    return str(TIE_BREAK_NAMES.get(key, key))


@register.filter
def get(values: Mapping[Any, Any], key: Any) -> Any:
    """The value of a key that is only known on the page."""
    return values.get(key)


@register.filter
def counted(nights: Iterable[Night]) -> list[Night]:
    """Those that count for the season."""
    return [night for night in nights if night.counted]
