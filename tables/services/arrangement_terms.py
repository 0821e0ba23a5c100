"""What was agreed about a table that was arranged for others; nothing where people just sat."""

from __future__ import annotations

from tables.models import Arrangement, Table


def of(table: Table) -> Arrangement | None:
    """Return the table's terms; None for one that people opened for themselves."""
    return getattr(table, "arrangement", None)


def stake_of(table: Table) -> int:
    """Return what a unit of the betting scheme costs at the table."""
    terms = of(table)
    return terms.stake if terms else 1


def is_last(table: Table, number: int) -> bool:
    """Whether the match is over with the game of that number."""
    terms = of(table)
    return terms is not None and terms.games is not None and number >= terms.games
