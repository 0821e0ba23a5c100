"""Faces of people: one of the twelve animals on one of eight grounds."""

from __future__ import annotations

from dataclasses import dataclass

ANIMALS = (
    "rat",
    "buffalo",
    "tiger",
    "cat",
    "dragon",
    "snake",
    "horse",
    "goat",
    "monkey",
    "rooster",
    "dog",
    "pig",
)
GROUNDS = 8


@dataclass(frozen=True)
class Face:
    """An animal of static/faces.svg and the number of its ground, from 1 to 8."""

    animal: str
    ground: int


def face_of(key: int, chosen: str = "") -> Face:
    """Return the face of the person with this key: the chosen animal, else a given one.

    Of 96 consecutive keys no two are given the same face, so that a club has few twins.
    """
    given = key * 37 % (len(ANIMALS) * GROUNDS)
    return Face(chosen or ANIMALS[given % len(ANIMALS)], given // len(ANIMALS) + 1)
