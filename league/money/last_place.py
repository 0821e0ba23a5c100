"""The players in last place of a night, who bear some costs."""

from __future__ import annotations

from league.models import Event, Player
from league.seasons import places


def in_last_place(event: Event) -> list[Player]:
    """Return the people in last place, bots left out; several if they share it."""
    people = [one for one in places.ranked(event) if not one.player.bot]
    return [one.player for one in people if one.row.rank == people[-1].row.rank]
