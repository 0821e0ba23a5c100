"""Ranks of a game's players, from its placings: the seats of each place, the first place first."""

from collections.abc import Sequence


def ranks(placings: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the rank of each seat; tied seats share a rank."""
    found: dict[int, int] = {}
    for group in placings:
        found |= dict.fromkeys(group, len(found) + 1)
    return found


def beaten(placings: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the number of opponents that each seat has beaten."""
    left = sum(len(group) for group in placings)
    found: dict[int, int] = {}
    for group in placings:
        left -= len(group)
        found |= dict.fromkeys(group, left)
    return found
