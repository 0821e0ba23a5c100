"""The terms of an arranged table, with defaults for tables that people opened themselves."""

from __future__ import annotations

from tables.models import Arrangement, Table


def of(table: Table) -> Arrangement | None:
    """Return the table's terms; `None` if people opened it themselves."""
    return getattr(table, "arrangement", None)


def stake_of(table: Table) -> int:
    """Return the table's price of one unit of the betting scheme."""
    terms = of(table)
    return terms.stake if terms else 1


def is_last(table: Table, number: int) -> bool:
    """Return whether the match ends with the game of this number."""
    terms = of(table)
    return terms is not None and terms.games is not None and number >= terms.games
