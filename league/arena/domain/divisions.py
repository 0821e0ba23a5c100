"""Divisions of a bot league: their sizes, promotion and relegation."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

MOST_AT_EVERY_TABLE = 8
"""The most bots of a division in which every table of four is played."""


@dataclass(frozen=True)
class Finished:
    """A division in its final order; one that did not play exchanges no bots."""

    bots: Sequence[str]
    played: bool = True


def division_sizes(bots: int, size: int, least: int, most: int) -> list[int]:
    """Return the division sizes from the top, about `size` and as even as possible.

    A table seats `least` to `most`. If no even split can be played, the last division may be too
    small to play.
    """
    at_most = MOST_AT_EVERY_TABLE if most >= 4 else most
    for count in range(-(-bots // size), 0, -1):
        small, more = divmod(bots, count)
        if small >= least and small + bool(more) <= at_most:
            return [small + 1] * more + [small] * (count - more)
    whole, rest = divmod(bots, min(size, at_most))
    return [min(size, at_most)] * whole + [rest] * bool(rest)


def moved(divisions: Sequence[Finished], moves: int) -> list[list[str]]:
    """Return the divisions after promotion and relegation of `moves` bots at each border.

    At most half of a division moves either way. Relegated bots come first in their new division,
    promoted bots last.
    """
    exchanged = [
        min(moves, len(upper.bots) // 2, len(lower.bots) // 2) * (upper.played and lower.played)
        for upper, lower in pairwise(divisions)
    ]
    ups, downs = [0, *exchanged], [*exchanged, 0]
    found = []
    for at, division in enumerate(divisions):
        stay = division.bots[ups[at] : len(division.bots) - downs[at]]
        down = divisions[at - 1].bots[-ups[at] :] if ups[at] else ()
        up = divisions[at + 1].bots[: downs[at]] if downs[at] else ()
        found.append([*down, *stay, *up])
    return found
