"""Ranks of a game's players, from its placings: the seats of each place, the first place first."""

from collections.abc import Sequence

from django.utils.translation import pgettext


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


def place_name(rank: int, players: int | None = None) -> str:
    """Return a place as people call it; the last one of so many players says so."""
    words = {1: pgettext("placing", "first"), 2: pgettext("placing", "second")}
    words[3] = pgettext("placing", "third")
    if rank == players:
        return pgettext("placing", "last")
    return words.get(rank) or pgettext("placing", "number %(n)s") % {"n": rank}
