"""Who of those that said yes has a place, and what their number makes at the tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Party:
    """A player with guests who come together or wait together."""

    key: int
    people: int
    is_in: bool


def let_in(parties: Iterable[Party], places: int | None) -> list[int]:
    """Return the keys of those who get a place now, the parties given in their order.

    Nobody loses a place. A party too large for the places left waits, and smaller ones behind it
    go first.
    """
    in_order = list(parties)
    if places is None:
        return [party.key for party in in_order if not party.is_in]
    free = places - sum(party.people for party in in_order if party.is_in)
    found = []
    for party in in_order:
        if not party.is_in and party.people <= free:
            free -= party.people
            found.append(party.key)
    return found


@dataclass(frozen=True)
class Forecast:
    """So many people coming: so many more would make so many full tables."""

    coming: int
    more: int
    tables: int


def forecast(coming: int, full: int = 4) -> Forecast:
    """Return what is missing to full tables only.

    >>> forecast(11)
    Forecast(coming=11, more=1, tables=3)
    >>> forecast(11, full=6)
    Forecast(coming=11, more=1, tables=2)
    """
    more = -coming % full if coming else full
    return Forecast(coming, more, (coming + more) // full)
