"""The door by which money learns the places of a night.

Money knows nothing of stages: `league.nights` registers here, because the places of a cup are
those of its final and then of those eliminated, not those by all games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from league.models import Event, Player
from league.seasons.selectors.standings import Standing, event_standings

PlacesOf = Callable[[Event], Sequence[Standing]]

_places_of: PlacesOf = event_standings


def register(places_of: PlacesOf) -> None:
    """Let money ask for the places of a night there from now on."""
    global _places_of
    _places_of = places_of


def in_last_place(event: Event) -> list[Player]:
    """Return who came last among the people who played; several where they share the place."""
    ranked = [
        one for one in _places_of(event) if one.row.games and one.row.rank and not one.player.bot
    ]
    return [one.player for one in ranked if one.row.rank == ranked[-1].row.rank]
