"""How many tables of which size a number of players makes."""

from __future__ import annotations

from typing import Literal

SeatedTable = list[int]
SeatedRound = list[SeatedTable]
Five = Literal["split", "bye"]

FULL = 4
LARGEST = 8


class SeatingError(ValueError):
    """A request that no schedule can answer; its text tells the organiser what to change."""


def table_sizes(
    players: int, five: Five = "split", *, size: int = FULL, least: int = 2
) -> list[int]:
    """Return the table sizes for one round, largest first; those left over have a bye.

    As few tables of up to `size` as hold everyone, and as even as can be: above five, tables of
    four and of three. Fewer tables where they would have fewer than `least`; then some have a bye.
    Five players at tables of four make a three and a two, or (`five="bye"`) a four and a bye. One
    player alone gets no table.
    """
    if players == 5 and size == FULL and five == "bye":
        return [FULL]
    tables = min(-(-players // size), players // max(2, least))
    if tables < 1:
        return []
    each, more = divmod(min(players, tables * size), tables)
    return [each + 1] * more + [each] * (tables - more)


def byes(players: int, five: Five = "split", size: int = FULL) -> int:
    """Return how many of the players have no chair in a round."""
    return players - sum(table_sizes(players, five, size=size))


def pairs(size: int) -> int:
    """Return how many pairs of players meet at a table of this size."""
    return size * (size - 1) // 2


def even_pairs(things: int, among: int) -> int:
    """Return the least sum of pairs(c) for so many things shared out among so many as counts c."""
    each, more = divmod(things, among)
    return (among - more) * pairs(each) + more * pairs(each + 1)
