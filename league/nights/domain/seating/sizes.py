"""How many tables of which size a number of players makes."""

from __future__ import annotations

from typing import Literal

SeatedTable = list[int]
SeatedRound = list[SeatedTable]
Five = Literal["split", "bye"]

FULL = 4


class SeatingError(ValueError):
    """A request that no schedule can answer; its text tells the organiser what to change."""


def table_sizes(players: int, five: Five = "split") -> list[int]:
    """Return the table sizes for one round, largest first; those left over have a bye.

    As many tables of four as possible, then tables of three. Five players are the one number
    above three that neither divides into: a three and a two, or (`five="bye"`) a four and a bye.
    One player alone gets no table.
    """
    if players < 2:
        return []
    if players == 5:
        return [3, 2] if five == "split" else [4]
    if players < FULL:
        return [players]
    threes = -players % FULL
    return [4] * ((players - 3 * threes) // FULL) + [3] * threes


def byes(players: int, five: Five = "split") -> int:
    """Return how many of the players have no chair in a round."""
    return players - sum(table_sizes(players, five))


def pairs(size: int) -> int:
    """Return how many pairs of players meet at a table of this size."""
    return size * (size - 1) // 2


def even_pairs(things: int, among: int) -> int:
    """Return the least sum of pairs(c) for so many things shared out among so many as counts c."""
    each, more = divmod(things, among)
    return (among - more) * pairs(each) + more * pairs(each + 1)
