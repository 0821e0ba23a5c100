"""The specials of a game (chop, thối, cóng, instant win) as they are stored with its result."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.rules.specials import Special


def to_json(specials: Sequence[Special]) -> list[dict[str, Any]]:
    """Return the specials as plain values for storing."""
    return [
        {k: v for k, v in special._asdict().items() if v not in (None, "", False)}
        for special in specials
    ]


def from_json(values: Sequence[Mapping[str, Any]]) -> list[Special]:
    """Return the specials from stored values, the inverse of `to_json`."""
    return [Special(**value) for value in values]


def at_seats(specials: Sequence[Special], seat_of: Mapping[int, int]) -> list[Special]:
    """Return the specials with seats in place of players, -1 for a player without a seat."""
    return [
        special._replace(
            by=None if special.by is None else seat_of.get(special.by, -1),
            of=None if special.of is None else seat_of.get(special.of, -1),
        )
        for special in specials
    ]
