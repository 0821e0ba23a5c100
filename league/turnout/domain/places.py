"""Who gets a place among those who said yes."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Party:
    """A player with guests, who come together or wait together."""

    key: int
    people: int
    is_in: bool


def let_in(parties: Iterable[Party], places: int | None) -> list[int]:
    """Return the keys of waiting parties that get a place now, in the given order.

    Nobody loses a place. A party too large for the free places waits, and smaller ones behind it go
    first.
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
