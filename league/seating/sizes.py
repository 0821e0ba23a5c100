"""The table sizes of a round for a number of players."""

SeatedTable = list[int]
SeatedRound = list[SeatedTable]

FULL = 4
LARGEST = 8


class SeatingError(ValueError):
    """An impossible request; its text tells the organiser how to change it."""


def table_sizes(players: int, *, size: int = FULL, least: int = 2) -> list[int]:
    """Return the table sizes of one round, largest first; leftover players have a bye.

    The tables are as few as hold everyone at up to `size`, and as even as possible: above five
    players, tables of four and three. If they would have fewer than `least`, there are fewer
    tables, and some players may have a bye. Five players at tables of four make a three and a
    two. A single player gets no table.
    """
    tables = min(-(-players // size), players // max(2, least))
    if tables < 1:
        return []
    each, more = divmod(min(players, tables * size), tables)
    return [each + 1] * more + [each] * (tables - more)


def byes(players: int, size: int = FULL) -> int:
    return players - sum(table_sizes(players, size=size))


def pairs(size: int) -> int:
    """Return the number of pairs that meet at a table of this size."""
    return size * (size - 1) // 2


def even_pairs(things: int, among: int) -> int:
    """Return the least sum of pairs(c) over `among` counts c that sum to `things`."""
    each, more = divmod(things, among)
    return (among - more) * pairs(each) + more * pairs(each + 1)
