"""A game's row in our own tables of results: names from first to last place."""

import uuid
from collections.abc import Sequence

from league.exchange.domain.sheet_columns import OURS as COLUMNS

__all__ = ["COLUMNS", "PLACES", "notebook_entry", "write_groups"]

PLACES = tuple(str(place) for place in range(1, 9))


def write_groups(groups: Sequence[Sequence[str]]) -> list[str]:
    """Return the cells of places 1 to 8; `=` stands between names that share one."""
    cells = [" = ".join(map(_whole, group)) for group in groups]
    return cells + [""] * (len(PLACES) - len(cells))


def _whole(name: str) -> str:
    """Return the name as it stands in a cell, in quotes if it would be read as several."""
    quoted = '"' + name.replace('"', '""') + '"'
    return quoted if "=" in name or name.startswith('"') else name


def notebook_entry(game: uuid.UUID) -> uuid.UUID:
    """Return the key of the entry with an imported game's money."""
    return uuid.uuid5(game, "money")
