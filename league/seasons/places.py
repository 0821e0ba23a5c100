"""The door by which seasons and money learn the final places of a night.

Neither knows anything of stages: `league.nights` registers here, because the places of a cup are
those of its final and then of those eliminated, not those by all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from league.models import Event
from league.seasons.domain.standings import Share
from league.seasons.selectors.standings import Standing, event_standings

PlacesOf = Callable[[Event], Sequence[Standing]]

_places_of: PlacesOf = event_standings


def register(places_of: PlacesOf) -> None:
    """Let the places of a night be asked for there from now on."""
    global _places_of
    _places_of = places_of


def places_of(event: Event) -> Sequence[Standing]:
    """Return everyone's place in the night, best first."""
    return _places_of(event)


def ranked(event: Event) -> list[Standing]:
    """Return those who played in the night and have a place, best first."""
    return [one for one in places_of(event) if one.row.games and one.row.rank]


def shares(event: Event) -> dict[int, Share]:
    """Return the places for which the event gives its season points, by player; none yet if open.

    People who share a place share its points, see `points_for_place`.
    """
    if event.is_open or event.called_off_at or event.rules_of_scoring.gives != "places":
        return {}
    found = {one.player.pk: one.row.rank or 0 for one in ranked(event)}
    sharing = Counter(found.values())
    return {player: Share(rank, sharing[rank]) for player, rank in found.items()}
