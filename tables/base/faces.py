"""Faces of people: one of the twelve animals of static/faces.svg on one of eight grounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from zlib import crc32

from django.utils.translation import pgettext_lazy

ANIMAL_NAMES = {
    "rat": pgettext_lazy("animal", "Rat"),
    "buffalo": pgettext_lazy("animal", "Buffalo"),
    "tiger": pgettext_lazy("animal", "Tiger"),
    "cat": pgettext_lazy("animal", "Cat"),
    "dragon": pgettext_lazy("animal", "Dragon"),
    "snake": pgettext_lazy("animal", "Snake"),
    "horse": pgettext_lazy("animal", "Horse"),
    "goat": pgettext_lazy("animal", "Goat"),
    "monkey": pgettext_lazy("animal", "Monkey"),
    "rooster": pgettext_lazy("animal", "Rooster"),
    "dog": pgettext_lazy("animal", "Dog"),
    "pig": pgettext_lazy("animal", "Pig"),
}
ANIMALS = tuple(ANIMAL_NAMES)
GROUNDS = 8
FACES = len(ANIMALS) * GROUNDS
_HOUSE = {
    "master": 52, "sage": 31, "planner": 13, "dreamer": 3, "greedy": 35, "lowest": 84, "random": 80,
}  # fmt: skip
"""Numbers that give the bots of the house seven animals on seven grounds."""


class Face(NamedTuple):
    """An animal of static/faces.svg and the number of its ground, from 1 to 8."""

    animal: str
    ground: int


def face_of(key: int, chosen: str = "", ground: int | None = None) -> Face:
    """Return the face of the person with this key: the chosen animal and ground, else given ones.

    Of 96 consecutive keys no two are given the same face, so that a club has few twins.
    """
    given = key * 37 % FACES
    return Face(chosen or ANIMALS[given % len(ANIMALS)], ground or given // len(ANIMALS) + 1)


def faces_at(came: Iterable[tuple[str, str]], chosen: Mapping[str, Face]) -> dict[str, Face]:
    """Return by name the faces at a table, of the names and bots that came in this order.

    People choose before bots.
    """
    names = list(dict.fromkeys(name for name, _bot in sorted(came, key=lambda one: one[1] != "")))
    return dict(zip(names, faces(names, chosen), strict=True))


def faces(names: Iterable[str], chosen: Mapping[str, Face] | None = None) -> list[Face]:
    """Return a face for each name: the same at every table, but no animal twice among twelve.

    Who has `chosen` one keeps it. Of two other names with the same animal, the first keeps it; the
    other one's ground stays its own.
    """
    found: list[Face] = []
    known = chosen or {}
    taken = {ANIMALS.index(face.animal) for face in known.values()}
    for name in names:
        if name in known:
            found.append(known[name])
            continue
        wanted = _HOUSE.get(name) or crc32(name.casefold().encode())
        free = (no % len(ANIMALS) for no in range(wanted, wanted + len(ANIMALS)))
        animal = next((no for no in free if no not in taken), wanted % len(ANIMALS))
        taken.add(animal)
        ground = (wanted % len(ANIMALS) + wanted // len(ANIMALS)) % GROUNDS + 1
        found.append(Face(ANIMALS[animal], ground))
    return found
