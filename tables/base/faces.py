"""Faces of the people at a table: the animals of static/faces.svg, each on a ground."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from zlib import crc32

ANIMALS = (
    *("cat", "rooster", "buffalo", "pig", "tiger", "horse"),
    *("monkey", "dragon", "goat", "rat", "dog", "snake"),
)
GROUNDS = 8


class SeatFace(NamedTuple):
    """An animal of static/faces.svg and the number of its ground, from 1 to 8."""

    animal: str
    ground: int


def faces(names: Iterable[str]) -> list[SeatFace]:
    """Return a face for each name: the same at every table, but no animal twice at one.

    Of two names with the same animal, the one that comes first keeps it.
    """
    found: list[SeatFace] = []
    taken: set[int] = set()
    for name in names:
        wanted = crc32(name.casefold().encode())
        free = (wanted + more for more in range(len(ANIMALS)))
        animal = next((no % len(ANIMALS) for no in free if no % len(ANIMALS) not in taken), 0)
        taken.add(animal)
        found.append(SeatFace(ANIMALS[animal], (animal + wanted // len(ANIMALS)) % GROUNDS + 1))
    return found
