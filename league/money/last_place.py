"""Who came last in a night, whom some costs are for."""

from __future__ import annotations

from league.models import Event, Player
from league.seasons import places


def in_last_place(event: Event) -> list[Player]:
    """Return who came last among the people who played; several where they share the place."""
    people = [one for one in places.ranked(event) if not one.player.bot]
    return [one.player for one in people if one.row.rank == people[-1].row.rank]
